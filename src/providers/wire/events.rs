//! Server-sent events out of bytes that are cut anywhere.
//!
//! Only `data` matters to the protocols here, which repeat in it what they name an event, so names,
//! ids and retry times are read over. Lines end before they are decoded, so a cut inside a character does no harm. Protocol: WHATWG HTML,
//! section 9.2.6.

/// The byte order mark that a stream may begin with.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The events of one stream so far.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    after_carriage_return: bool,
    event: Option<Vec<u8>>,
}

/// The `data` of one event.
pub(crate) type EventText = Vec<u8>;

impl Events {
    /// Takes more bytes and returns the events that they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<EventText> {
        let mut complete = Vec::new();
        for &byte in bytes {
            let second_of_pair = self.after_carriage_return && byte == b'\n';
            self.after_carriage_return = byte == b'\r';
            if second_of_pair {
                continue;
            }
            if byte == b'\n' || byte == b'\r' {
                complete.extend(self.end_line());
            } else {
                self.line.push(byte);
            }
        }
        complete
    }

    /// Returns the event that the stream ended in; servers that do not close their last event exist.
    pub(crate) fn finish(mut self) -> Option<EventText> {
        self.end_line().or(self.event)
    }

    fn end_line(&mut self) -> Option<EventText> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self.event.take();
        }
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line);
        if let Some(value) = line.strip_prefix(b"data:") {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match &mut self.event {
                Some(event) => {
                    event.push(b'\n');
                    event.extend_from_slice(value);
                }
                None => self.event = Some(value.to_vec()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Events;

    fn check(stream: &str, expected: &[&str]) {
        for cut in 1..=stream.len() {
            let mut events = Events::default();
            let mut found = Vec::new();
            for chunk in stream.as_bytes().chunks(cut) {
                found.extend(events.push(chunk));
            }
            found.extend(events.finish());
            let found: Vec<_> = found
                .into_iter()
                .map(|event| String::from_utf8(event).unwrap())
                .collect();
            assert_eq!(found, expected, "cut every {cut} bytes");
        }
    }

    #[test]
    fn an_event_is_whole_wherever_it_is_cut() {
        check("data: 你好\n\ndata: [DONE]\n\n", &["你好", "[DONE]"]);
    }

    #[test]
    fn every_line_end_of_the_standard_counts() {
        check("data: a\r\n\r\ndata:b\r\rdata: c\n\n", &["a", "b", "c"]);
    }

    #[test]
    fn comments_names_and_a_byte_order_mark_are_read_over() {
        check(
            "\u{feff}data: a\n\n: still here\n\nevent: x\nid: 1\ndata: b\ndata: c\n\n",
            &["a", "b\nc"],
        );
    }

    #[test]
    fn an_event_that_is_not_closed_is_still_an_event() {
        check("data: a\n\ndata: b", &["a", "b"]);
    }
}
