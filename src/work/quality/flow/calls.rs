//! What calls and operators come to.

use tree_sitter::Node;

use super::{ArgumentValue, CallEvent, Event, Flow, MAX_CALLS, written};
use crate::abstract_value::{Trust, Value};
use crate::code::{Call, Code, FunctionCode, Kind};
use crate::grammar::Family;
use crate::lower::module_name;

impl<'t> Flow<'_, 't, '_> {
    pub(super) fn binary(&self, operator: &str, left: Value, right: Value) -> Value {
        if let (Some(one), Some(other)) = (left.number, right.number)
            && let Some(value) = folded(operator, one, other)
        {
            return value;
        }
        match operator {
            "+" | "." | ".." => {
                if left.number.is_some() && right.number.is_some() {
                    return Value::constant();
                }
                Value::joined([&left, &right])
            }
            "%" if self.family == Family::Python && left.text.is_some() => formatted(&left, &right),
            "/" if self.family == Family::Python
                && (right.text.is_some() || left.path.is_some()) =>
            {
                Value::joined([&left, &right]).with_path(Some("Path()"))
            }
            "||" | "??" | "or" | "&&" | "and" => left.either(right),
            "==" | "===" | "!=" | "!==" => {
                let known = (left.whole_text()).zip(right.whole_text());
                known.map_or_else(Value::constant, |(left, right)| {
                    Value::boolean((left == right) == operator.starts_with('='))
                })
            }
            "<" | ">" | "<=" | ">=" | "-" | "*" | "/" | "&" | "|" | "^" | ">>" | "in"
            | "not in" | "is" | "is not" | "instanceof" => Value {
                text: None,
                ..Value::constant()
            },
            _ => Value::derived([&left, &right]),
        }
    }

    pub(super) fn call(&mut self, node: Node<'t>, call: &Call<'t>) -> Value {
        let callee = self.callee(call);
        let mut arguments: Vec<_> = call
            .arguments
            .iter()
            .map(|argument| ArgumentValue {
                name: argument.name,
                value: self.value(&argument.value),
            })
            .collect();
        if callee.path.starts_with("macro.") {
            self.inline_names(call, &mut arguments);
        }
        (self.sink_unless_within())(Event::Call(CallEvent {
            node,
            path: &callee.path,
            written: &callee.written,
            receiver: &callee.receiver,
            arguments: &arguments,
        }));
        if let Some(value) = self.own_function(call, &arguments) {
            return value;
        }
        let value = self.result(call, &callee, &arguments);
        self.change_target(call, &callee, &arguments);
        value
    }

    fn callee(&mut self, call: &Call<'t>) -> Callee {
        let written = written(&call.callee);
        let (receiver, path) = match &call.callee.kind {
            Kind::Member(of, name) => {
                let receiver = self.value(of);
                let path = match &receiver.path {
                    Some(path) => format!("{path}.{name}"),
                    None => written.clone().unwrap_or_else(|| (*name).to_owned()),
                };
                (receiver, path)
            }
            Kind::Name(name) => {
                let known = self.names.get(*name).and_then(|value| value.path.clone());
                let path = known.map_or_else(|| (*name).to_owned(), |path| path.to_string());
                (Value::constant(), path)
            }
            _ => {
                let value = self.value(&call.callee);
                let path = value.path.clone().unwrap_or_default();
                (value, path.to_string())
            }
        };
        let prefix = if call.creates { "new " } else { "" };
        let written = written.unwrap_or_else(|| path.clone());
        Callee {
            path: format!("{prefix}{path}"),
            written: format!("{prefix}{written}"),
            receiver,
        }
    }

    /// `format!("{name}")` takes names from around it.
    fn inline_names(&mut self, call: &Call<'t>, arguments: &mut Vec<ArgumentValue<'t>>) {
        let Some(first) = call.arguments.first() else {
            return;
        };
        let Kind::Text(text) = first.value.kind else {
            return;
        };
        for piece in text.split('{').skip(1) {
            let end = piece.find(['}', ':']).unwrap_or(0);
            let name = piece.get(..end).unwrap_or_default();
            let is_name = name
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'_');
            if is_name && !name.is_empty() {
                let value = self.name(name);
                arguments.push(ArgumentValue { name: None, value });
            }
        }
    }

    /// The value of a function of this file with these arguments.
    fn own_function(&mut self, call: &Call<'t>, arguments: &[ArgumentValue<'t>]) -> Option<Value> {
        let name = match &call.callee.kind {
            Kind::Name(name) if !call.creates => *name,
            Kind::Member(of, name) => {
                let is_own = match &of.kind {
                    Kind::Name(of) => matches!(*of, "self" | "this" | "cls" | "Self"),
                    Kind::Call(call) => call.creates,
                    _ => false,
                };
                is_own.then_some(*name)?
            }
            _ => return None,
        };
        let function: &FunctionCode<'t> = self.functions.get(name)?;
        if self.calls >= MAX_CALLS {
            return None;
        }
        let names = self.names.clone();
        let parameters = function.parameters.iter();
        let parameters: Vec<_> = parameters
            .filter(|parameter| !matches!(parameter.name, "self" | "cls"))
            .collect();
        for (number, parameter) in parameters.iter().enumerate() {
            let named = arguments
                .iter()
                .find(|argument| argument.name == Some(parameter.name));
            let argument = named.or_else(|| arguments.get(number));
            let value = argument.map_or_else(Value::constant, |argument| argument.value.clone());
            self.names.insert(parameter.name.to_owned(), value);
        }
        self.calls += 1;
        let value = self.body(function);
        self.calls -= 1;
        self.names = names;
        Some(value)
    }

    fn result(
        &mut self,
        call: &Call<'t>,
        callee: &Callee,
        arguments: &[ArgumentValue<'t>],
    ) -> Value {
        let first = arguments.first().map(|argument| &argument.value);
        let plain = callee.path.strip_prefix("new ").unwrap_or(&callee.path);
        let method = plain.rsplit('.').next().unwrap_or(plain);
        if matches!(method, "require" | "import")
            && let Some(module) = first.and_then(Value::whole_text)
        {
            return Value::unknown(module_name(module));
        }
        let written_source = self.catalogue.source(self.family, &callee.written);
        let source = self.catalogue.source(self.family, plain).or(written_source);
        if let Some(trust) = source {
            return Value::unknown(&format!("{plain}()")).with_trust(trust);
        }
        if let Some(value) = self.modelled(method, callee, arguments) {
            return value;
        }
        let receiver = (!call.creates && plain.contains('.')).then_some(&callee.receiver);
        let all = receiver
            .into_iter()
            .chain(arguments.iter().map(|argument| &argument.value));
        let mut value = Value::derived(all);
        if value.trust == Trust::Constant && !value.is_built {
            value.trust = if is_pure(method) {
                Trust::Constant
            } else {
                Trust::Unknown
            };
        }
        value.path = Some(format!("{plain}()").into());
        if call.creates && is_list(method) {
            value.items = Some(Vec::new());
            value.trust = Trust::Constant;
        }
        if call.creates {
            for argument in arguments {
                if let Some(name) = argument.name.filter(|name| *name != "(body)") {
                    value.put(name, argument.value.clone());
                }
            }
        }
        for cleaner in self
            .catalogue
            .cleaners(self.family, [plain, &callee.written])
        {
            value = value.cleaned_for(cleaner);
        }
        value
    }

    /// Functions whose result is known from what they are given.
    fn modelled(
        &self,
        method: &str,
        callee: &Callee,
        arguments: &[ArgumentValue<'t>],
    ) -> Option<Value> {
        let values: Vec<&Value> = arguments.iter().map(|argument| &argument.value).collect();
        let receiver = &callee.receiver;
        let path = callee.path.as_str();
        let is_path_join = path.ends_with("path.join")
            || path.ends_with("path.resolve")
            || path.ends_with("filepath.Join")
            || path.ends_with("path.Join")
            || path.ends_with("Paths.get")
            || path.ends_with("Path.of")
            || path == "join" && self.family == Family::JavaScript;
        Some(match (method, values.as_slice()) {
            _ if is_path_join => Value::joined(values).with_path(Some("path()")),
            ("join", [only])
                if self.family == Family::Python || self.family == Family::JavaScript =>
            {
                let items = only.items.as_deref().unwrap_or_default();
                match items {
                    [] => Value::derived([receiver, *only]),
                    items => Value::joined(items),
                }
            }
            ("join" | "resolve", [only])
                if receiver.trust > Trust::Constant || receiver.text.is_some() =>
            {
                let joined = Value::joined([receiver, *only]).with_path(receiver.path.as_deref());
                // A fixed name below a folder does not lead out of it.
                if only.is_whole() && receiver.trust < Trust::Request {
                    joined.cleaned_for("path")
                } else {
                    joined
                }
            }
            (
                "format" | "Sprintf" | "format_args" | "Sprint" | "Errorf" | "concat" | "formatted",
                _,
            ) => {
                if receiver.text.is_some() || method == "concat" {
                    Value::joined([receiver].into_iter().chain(values))
                } else {
                    let [template, rest @ ..] = values.as_slice() else {
                        return None;
                    };
                    let rest = Value::derived(rest.iter().copied());
                    if values.len() == 1 {
                        (*template).clone()
                    } else {
                        formatted(template, &rest)
                    }
                }
            }
            _ => return self.modelled_text(method, callee, &values),
        })
    }

    /// Functions that keep or take a part of a text or a collection.
    fn modelled_text(&self, method: &str, callee: &Callee, values: &[&Value]) -> Option<Value> {
        let (receiver, path) = (&callee.receiver, callee.path.as_str());
        Some(match (method, values) {
            ("charAt", [index]) => {
                let text = receiver.whole_text()?;
                let sign = text.chars().nth(usize::try_from(index.number?).ok()?)?;
                Value::text(&sign.to_string())
            }
            ("getProperty", [_, default]) => (*default).clone(),
            (
                "toString" | "trim" | "strip" | "to_string" | "to_owned" | "as_str" | "into"
                | "String" | "str" | "lower" | "upper" | "toLowerCase" | "toUpperCase" | "clone"
                | "encode" | "as_ref" | "c_str" | "getBytes" | "unwrap" | "intern" | "as_bytes"
                | "valueOf",
                rest,
            ) => {
                let of_argument = matches!(method, "String" | "str" | "valueOf");
                let of = if of_argument {
                    rest.first().copied()?
                } else {
                    receiver
                };
                of.clone()
            }
            ("get" | "getOrDefault", [index]) => receiver.at(index)?,
            ("from" | "new", [only])
                if self.family == Family::Rust && path.contains("String.from") =>
            {
                (*only).clone()
            }
            ("StringBuilder" | "StringBuffer", [only]) => {
                (*only).clone().with_path(Some("StringBuilder()"))
            }
            _ => return None,
        })
    }

    /// Methods that change what they are called on, and functions of C that fill their first argument.
    fn change_target(&mut self, call: &Call<'t>, callee: &Callee, arguments: &[ArgumentValue<'t>]) {
        let method = callee.path.rsplit('.').next().unwrap_or_default();
        let values: Vec<&Value> = arguments.iter().map(|argument| &argument.value).collect();
        if self.family == Family::C {
            let target = call.arguments.first().and_then(|it| written(&it.value));
            let (Some(target), [_, rest @ ..]) = (target, values.as_slice()) else {
                return;
            };
            let value = match method {
                "sprintf" | "snprintf" | "strcpy" | "strncpy" => {
                    let mut value = Value::joined(rest.iter().copied());
                    value.is_built |= rest.iter().any(|it| it.trust > Trust::Constant);
                    value
                }
                "strcat" | "strncat" => Value::joined(values),
                "fgets" | "gets" | "scanf" | "read" | "recv" => {
                    Value::unknown(method).with_trust(Trust::Request)
                }
                _ => return,
            };
            self.names.insert(target, value);
            return;
        }
        let Kind::Member(of, _) = &call.callee.kind else {
            return;
        };
        let Some(known) = root(of).and_then(|name| self.names.get_mut(&name)) else {
            return;
        };
        match (method, values.as_slice()) {
            ("add" | "append" | "push" | "push_str" | "extend" | "arg" | "concat", [value, ..]) => {
                if known.items.is_some() {
                    known.push((*value).clone());
                } else {
                    let path = known.path.clone();
                    *known = Value::joined([&*known, *value]).with_path(path.as_deref());
                }
            }
            ("put" | "set" | "insert" | "setProperty", [key, value, ..]) => {
                if let Some(key) = key.whole_text() {
                    known.put(key, (*value).clone());
                }
            }
            ("remove" | "pop", [index]) => {
                let place = index.number.and_then(|it| usize::try_from(it).ok());
                if let (Some(items), Some(place)) = (&mut known.items, place)
                    && place < items.len()
                {
                    items.remove(place);
                }
            }
            _ => {}
        }
    }
}

/// What is called.
pub(super) struct Callee {
    pub(super) path: String,
    pub(super) written: String,
    pub(super) receiver: Value,
}

/// A template with values put into it.
fn formatted(template: &Value, values: &Value) -> Value {
    let mut value = Value::joined([template, values]);
    value.is_built = !values.is_whole() || template.is_built;
    if values.trust == Trust::Constant && !template.is_built {
        value.is_built = false;
    }
    value
}

fn folded(operator: &str, left: i64, right: i64) -> Option<Value> {
    Some(match operator {
        "+" => Value::number(left.checked_add(right)?),
        "-" => Value::number(left.checked_sub(right)?),
        "*" => Value::number(left.checked_mul(right)?),
        "/" => Value::number(left.checked_div(right)?),
        "%" => Value::number(left.checked_rem(right)?),
        "|" => Value::number(left | right),
        "&" => Value::number(left & right),
        "<" => Value::boolean(left < right),
        ">" => Value::boolean(left > right),
        "<=" => Value::boolean(left <= right),
        ">=" => Value::boolean(left >= right),
        "==" | "===" => Value::boolean(left == right),
        "!=" | "!==" => Value::boolean(left != right),
        _ => return None,
    })
}

/// The name at the beginning of `name.append(..).append(..)`.
fn root(code: &Code<'_>) -> Option<String> {
    match &code.kind {
        Kind::Call(call) => match &call.callee.kind {
            Kind::Member(of, _) => root(of),
            _ => None,
        },
        _ => written(code),
    }
}

fn is_list(name: &str) -> bool {
    matches!(
        name,
        "ArrayList" | "LinkedList" | "Vector" | "Array" | "List"
    )
}

/// Functions that read nothing from elsewhere.
fn is_pure(method: &str) -> bool {
    matches!(
        method,
        "join"
            | "split"
            | "replace"
            | "substring"
            | "slice"
            | "asList"
            | "List"
            | "of"
            | "Array"
            | "ArrayList"
            | "HashMap"
            | "Map"
            | "list"
            | "dict"
            | "tuple"
            | "set"
            | "dirname"
            | "basename"
            | "resolve"
            | "cwd"
            | "abspath"
            | "Path"
            | "PathBuf"
            | "URL"
            | "RegExp"
            | "fileURLToPath"
            | "vec"
            | "repeat"
            | "quote"
            | "compile"
            | "expanduser"
            | "homedir"
            | "format"
            | "StringBuilder"
            | "StringBuffer"
            | "b64decode"
            | "resource_filename"
            | "File"
    )
}
