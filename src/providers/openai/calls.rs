//! Tool calls out of their pieces, as servers really send them.

use serde_json::Value;

/// A tool call as it was on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct WireCall {
    /// The id that the server gave; may be empty.
    pub(super) id: String,
    /// The name of the tool.
    pub(super) name: String,
    /// The arguments, as text.
    pub(super) arguments: String,
    /// `extra_content`: what Google has sent back with the call.
    pub(super) extra_content: Option<Value>,
    index: Option<u64>,
}

/// The calls of one answer so far.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<WireCall>);

impl Calls {
    /// Takes the calls of an answer that was not streamed: each item is a call of its own.
    pub(super) fn take_whole(&mut self, items: &[Value]) {
        for item in items {
            self.0.push(WireCall::default());
            self.extend(self.0.len() - 1, &Piece::of(item));
        }
    }

    /// Takes the pieces of one delta.
    ///
    /// A piece belongs to the call with its index. Some servers send no index: then it belongs to
    /// the call with its id, else a name begins a call, else its position decides. Others count
    /// every call as 0: then a new id beside a name begins a call.
    pub(super) fn take_pieces(&mut self, items: &[Value]) {
        for (position, item) in items.iter().enumerate() {
            let piece = Piece::of(item);
            let place = self.place_of(&piece, position, items.len());
            let place = place.unwrap_or_else(|| {
                self.0.push(WireCall {
                    index: piece.index,
                    ..WireCall::default()
                });
                self.0.len() - 1
            });
            self.extend(place, &piece);
        }
    }

    /// Returns the calls in the model's order.
    pub(super) fn finish(mut self) -> Vec<WireCall> {
        if self.0.iter().all(|call| call.index.is_some()) {
            self.0.sort_by_key(|call| call.index);
        }
        self.0
    }

    /// Returns the arguments of each call so far, in the order in which the calls began.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|call| call.arguments.as_str())
    }

    /// Returns whether no call has begun.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place_of(&self, piece: &Piece<'_>, position: usize, pieces: usize) -> Option<usize> {
        if piece.index.is_some() {
            return self
                .0
                .iter()
                .rposition(|call| call.index == piece.index && !piece.begins_another_than(call));
        }
        if !piece.id.is_empty() {
            let known = self.0.iter().rposition(|call| call.id == piece.id);
            if known.is_some() || !piece.name.is_empty() {
                return known;
            }
        }
        if !piece.name.is_empty() {
            return None;
        }
        let last = self.0.len().checked_sub(1)?;
        Some(if pieces > 1 { position.min(last) } else { last })
    }

    fn extend(&mut self, place: usize, piece: &Piece<'_>) {
        let Some(call) = self.0.get_mut(place) else {
            return;
        };
        if call.id.is_empty() {
            piece.id.clone_into(&mut call.id);
        }
        if let Some(extra) = piece.extra_content {
            call.extra_content = Some(extra.clone());
        }
        // Repeated as a whole by some servers, cut in two by others.
        if call.name != piece.name {
            call.name.push_str(piece.name);
        }
        match piece.arguments {
            Some(Value::String(text)) => call.arguments.push_str(text),
            Some(Value::Null) | None => {}
            Some(whole) => call.arguments = whole.to_string(),
        }
    }
}

/// One item of `tool_calls`.
struct Piece<'a> {
    index: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: Option<&'a Value>,
    extra_content: Option<&'a Value>,
}

impl<'a> Piece<'a> {
    fn of(item: &'a Value) -> Self {
        let function = item.get("function").unwrap_or(item);
        let text = |holder: &'a Value, field: &str| {
            holder
                .get(field)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        Self {
            index: item.get("index").and_then(Value::as_u64),
            id: text(item, "id"),
            name: text(function, "name"),
            arguments: function.get("arguments"),
            extra_content: item.get("extra_content").filter(|it| it.is_object()),
        }
    }

    /// A new id alone proves nothing: there are servers that invent one per piece.
    fn begins_another_than(&self, call: &WireCall) -> bool {
        !self.id.is_empty() && !call.id.is_empty() && self.id != call.id && !self.name.is_empty()
    }
}

#[cfg(test)]
#[path = "calls_fuzz_tests.rs"]
mod fuzz_tests;
#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
