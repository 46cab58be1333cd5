//! What values may come to: the statements of a file in their order, without running them.
//!
//! Each function is gone through once with parameters that come from its caller. Both sides of a
//! condition are taken unless it is known; loops are taken once; a function of the same file is gone
//! through again with the arguments of a call. Every call and assignment is an [`Event`] for the rules.
//! The work per file is bounded by [`MAX_STEPS`].

mod calls;
mod control;
mod guards;

use std::collections::HashMap;

use tree_sitter::Node;

use crate::abstract_value::{Trust, Value};
use crate::code::{Assign, Code, Entry, FunctionCode, Kind, Parameter};
use crate::grammar::Family;
use crate::rules::Catalogue;

/// The most pieces of code that are looked at in one file. A file of the largest size that people
/// write needs some tenth of it.
const MAX_STEPS: usize = 2_000_000;

/// How many calls deep functions of the same file are gone through.
const MAX_CALLS: usize = 3;

/// What happens in code, for the rules.
pub(crate) enum Event<'e, 't> {
    /// A call, or the making of an object.
    Call(CallEvent<'e, 't>),
    /// A value is given to something.
    Assign {
        node: Node<'t>,
        /// What it is given to, with dots.
        path: &'e str,
        value: &'e Value,
    },
    /// A module is imported.
    Import { node: Node<'t>, path: &'e str },
}

/// A call.
pub(crate) struct CallEvent<'e, 't> {
    pub(crate) node: Node<'t>,
    /// What is called, as far as it can be told from imports and types, with dots.
    pub(crate) path: &'e str,
    /// What is called, as the code writes it.
    pub(crate) written: &'e str,
    pub(crate) receiver: &'e Value,
    pub(crate) arguments: &'e [ArgumentValue<'t>],
}

/// The value of an argument.
pub(crate) struct ArgumentValue<'t> {
    pub(crate) name: Option<&'t str>,
    pub(crate) value: Value,
}

/// Whether the statements after this one are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Goes,
    Breaks,
    Returns,
}

type Names = HashMap<String, Value>;

/// The way through one file.
pub(crate) struct Flow<'c, 't, 's> {
    family: Family,
    catalogue: &'static Catalogue,
    /// What names are known to be.
    names: Names,
    functions: HashMap<&'t str, &'c FunctionCode<'t>>,
    sink: &'s mut dyn FnMut(Event<'_, 't>),
    /// How many functions of this file a call is within; events are for the outermost alone.
    calls: usize,
    steps: usize,
    end: End,
    returned: Option<Value>,
}

/// Goes through a file.
pub(crate) fn run<'t>(family: Family, code: &Code<'t>, sink: &mut dyn FnMut(Event<'_, 't>)) {
    let mut functions = HashMap::new();
    collect_functions(code, &mut functions);
    let mut flow = Flow {
        family,
        catalogue: Catalogue::get(),
        names: HashMap::new(),
        functions,
        sink,
        calls: 0,
        steps: 0,
        end: End::Goes,
        returned: None,
    };
    flow.imports(code);
    flow.value(code);
}

fn collect_functions<'c, 't>(
    code: &'c Code<'t>,
    found: &mut HashMap<&'t str, &'c FunctionCode<'t>>,
) {
    match &code.kind {
        Kind::Function(function) => {
            if let Some(name) = function.name {
                found.insert(name, function);
            }
            collect_functions(&function.body, found);
        }
        Kind::Block(all) | Kind::Other(all) | Kind::Loop(all) => {
            for code in all {
                collect_functions(code, found);
            }
        }
        Kind::Assign(Assign {
            target,
            value: Some(value),
            ..
        }) => {
            if let (Kind::Name(name), Kind::Function(function)) = (&target.kind, &value.kind) {
                found.insert(name, function);
            }
        }
        _ => {}
    }
}

impl<'t> Flow<'_, 't, '_> {
    /// Imports count for the whole file.
    fn imports(&mut self, code: &Code<'t>) {
        match &code.kind {
            Kind::Import(names) => {
                for import in names {
                    let value = Value::unknown(&import.path);
                    self.names.insert(import.name.to_owned(), value);
                    (self.sink)(Event::Import {
                        node: code.node,
                        path: &import.path,
                    });
                }
            }
            Kind::Block(all) | Kind::Other(all) => {
                for code in all {
                    self.imports(code);
                }
            }
            _ => {}
        }
    }

    pub(super) fn value(&mut self, code: &Code<'t>) -> Value {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Value::default();
        }
        match &code.kind {
            Kind::Text(text) => Value::text(text),
            Kind::Number(Some(number)) => Value::number(*number),
            Kind::Number(None) => Value::constant(),
            Kind::Word(word) => Value::text(word),
            Kind::Name(name) => self.name(name),
            Kind::Member(of, name) => self.member(of, name),
            Kind::Index(of, index) => self.index(of, index),
            Kind::Call(call) => self.call(code.node, call),
            Kind::Joined(pieces) => {
                let pieces: Vec<_> = pieces.iter().map(|piece| self.value(piece)).collect();
                let mut joined = Value::joined(&pieces);
                joined.is_built |= pieces.iter().any(|piece| !piece.is_whole());
                joined
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.binary(operator, left, right)
            }
            Kind::Choice(sides) => self.choice(sides),
            Kind::List(all) => {
                let items: Vec<_> = all.iter().map(|item| self.value(item)).collect();
                Value {
                    text: None,
                    items: Some(items.clone()),
                    is_built: items.iter().any(|item| item.is_built),
                    ..Value::derived(&items)
                }
            }
            Kind::Table(entries) => self.table(entries),
            Kind::Assign(assign) => self.assign(code.node, assign),
            Kind::Function(function) => self.function(function),
            Kind::Import(_) => Value::default(),
            Kind::Other(all) => {
                let values: Vec<_> = all.iter().map(|part| self.value(part)).collect();
                match values.as_slice() {
                    [] => Value::default(),
                    values => Value::derived(values),
                }
            }
            Kind::Block(_)
            | Kind::If(_)
            | Kind::Switch(..)
            | Kind::Loop(_)
            | Kind::Return(_)
            | Kind::Leave(_) => self.control(code),
        }
    }

    fn name(&self, name: &str) -> Value {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let trust = match name {
            "__dirname" | "__filename" | "__file__" | "__name__" => Trust::Constant,
            _ if is_screaming(name) => Trust::Constant,
            _ => Trust::Unknown,
        };
        self.sourced(Value::unknown(name).with_trust(trust), name)
    }

    /// A value that is input from outside, by its path.
    fn sourced(&self, value: Value, path: &str) -> Value {
        match self.catalogue.source(self.family, path) {
            Some(trust) => value.with_trust(trust),
            None => value,
        }
    }

    fn member(&mut self, of: &Code<'t>, name: &'t str) -> Value {
        let written = written(of).map(|path| format!("{path}.{name}"));
        if let Some(known) = written.as_ref().and_then(|path| self.names.get(path)) {
            return known.clone();
        }
        let value = self.value(of);
        let path = match &value.path {
            Some(path) => format!("{path}.{name}"),
            None => written.clone().unwrap_or_else(|| name.to_owned()),
        };
        if let Some(found) = value.at(&Value::text(name)) {
            return found;
        }
        let is_number = matches!(name, "length" | "size" | "Length" | "Count");
        let is_constant = is_number || is_screaming(name);
        let member = Value {
            trust: if is_constant {
                Trust::Constant
            } else {
                value.deep_trust()
            },
            cleaned: value.cleaned,
            path: Some(path.as_str().into()),
            is_built: value.is_built && !is_constant,
            ..Value::default()
        };
        let member = self.sourced(member, &path);
        match written {
            Some(written) if member.trust != Trust::Request => self.sourced(member, &written),
            _ => member,
        }
    }

    fn index(&mut self, of: &Code<'t>, index: &Code<'t>) -> Value {
        let (value, index) = (self.value(of), self.value(index));
        value.at(&index).unwrap_or_else(|| Value {
            trust: value.deep_trust(),
            path: value.path.clone(),
            is_built: value.is_built,
            cleaned: value.cleaned,
            ..Value::default()
        })
    }

    fn choice(&mut self, sides: &[Code<'t>; 3]) -> Value {
        let [condition, then, otherwise] = sides;
        let condition = self.value(condition);
        match condition.as_boolean() {
            Some(true) => self.value(then),
            Some(false) => self.value(otherwise),
            None => {
                let then = self.value(then);
                then.either(self.value(otherwise))
            }
        }
    }

    fn table(&mut self, entries: &[Entry<'t>]) -> Value {
        let mut table = Value::constant();
        let mut values = Vec::new();
        for entry in entries {
            let value = self.value(&entry.value);
            if let Some(key) = entry.key {
                table.put(key, value.clone());
                (self.sink_unless_within())(Event::Assign {
                    node: entry.value.node,
                    path: &format!("{{}}.{key}"),
                    value: &value,
                });
            }
            values.push(value);
        }
        let entries = table.entries.take().unwrap_or_default();
        Value {
            entries: Some(entries),
            ..Value::derived(&values)
        }
    }

    fn assign(&mut self, node: Node<'t>, assign: &Assign<'t>) -> Value {
        let mut value = match &assign.value {
            Some(value) => self.value(value),
            None => Value::constant(),
        };
        let path = written(&assign.target);
        if assign.operator.starts_with("+=")
            && let Some(before) = path.as_ref().and_then(|path| self.names.get(path))
        {
            value = Value::joined([before, &value]);
        }
        if let Some(type_name) = assign.type_name
            && value.path.is_none()
            && assign.value.is_none()
        {
            value.path = Some(simple_type(type_name).into());
        }
        if let Kind::Index(of, index) = &assign.target.kind {
            self.assign_at(of, index, &value);
        }
        let target = self.target_path(&assign.target);
        let shown = target.or(path.clone());
        if let Some(shown) = shown.filter(|_| assign.value.is_some()) {
            (self.sink_unless_within())(Event::Assign {
                node,
                path: &shown,
                value: &value,
            });
        }
        if let Some(path) = path {
            self.names.insert(path, value.clone());
        }
        value
    }

    fn assign_at(&mut self, of: &Code<'t>, index: &Code<'t>, value: &Value) {
        let key = self.value(index);
        let Some(name) = written(of) else {
            return;
        };
        if let (Some(table), Some(key)) = (self.names.get_mut(&name), key.whole_text()) {
            table.put(key, value.clone());
        } else if let Some(table) = self.names.get_mut(&name) {
            *table = table.clone().either(value.clone());
        }
        if let Some(key) = key.whole_text() {
            (self.sink_unless_within())(Event::Assign {
                node: of.node,
                path: &format!("{name}.{key}"),
                value,
            });
        }
    }

    /// The path of what a value is given to, by what its object is.
    fn target_path(&mut self, target: &Code<'t>) -> Option<String> {
        let Kind::Member(of, name) = &target.kind else {
            return None;
        };
        let of = self.value(of).path?;
        Some(format!("{of}.{name}"))
    }

    /// A function that is not called here: its parameters come from its callers.
    fn function(&mut self, function: &FunctionCode<'t>) -> Value {
        let names = self.names.clone();
        for parameter in &function.parameters {
            let value = self.parameter(parameter);
            self.names.insert(parameter.name.to_owned(), value);
        }
        self.body(function);
        self.names = names;
        Value::unknown(function.name.unwrap_or("function"))
    }

    fn parameter(&mut self, parameter: &Parameter<'t>) -> Value {
        if let Some(default) = &parameter.default {
            let value = self.value(default);
            (self.sink_unless_within())(Event::Assign {
                node: default.node,
                path: parameter.name,
                value: &value,
            });
        }
        let type_name = parameter.type_name.map(simple_type);
        if type_name.is_some_and(is_number_type) {
            return Value::constant();
        }
        let path = match (self.family, type_name) {
            (Family::Java | Family::Go | Family::Rust, Some(type_name)) => type_name,
            _ => parameter.name,
        };
        let trust = if self.catalogue.is_object(parameter.name) {
            Trust::Unknown
        } else {
            Trust::Parameter
        };
        self.sourced(Value::unknown(path).with_trust(trust), path)
    }

    /// Goes through the body of a function, and returns its value.
    pub(super) fn body(&mut self, function: &FunctionCode<'t>) -> Value {
        let end = std::mem::replace(&mut self.end, End::Goes);
        let returned = self.returned.take();
        let last = self.value(&function.body);
        self.end = end;
        let value = std::mem::replace(&mut self.returned, returned);
        value.unwrap_or(last)
    }

    /// Events within a call to a function of this file are those of its own way through.
    pub(super) fn sink_unless_within(&mut self) -> impl FnMut(Event<'_, 't>) + use<'_, 't> {
        let is_within = self.calls > 0;
        let sink: &mut dyn FnMut(Event<'_, 't>) = &mut *self.sink;
        move |event| {
            if !is_within {
                sink(event);
            }
        }
    }
}

/// Returns a path in the words of the code: names and members.
pub(crate) fn written(code: &Code<'_>) -> Option<String> {
    match &code.kind {
        Kind::Name(name) => Some(name.replace("::", ".")),
        Kind::Member(of, name) => Some(format!("{}.{name}", written(of)?)),
        _ => None,
    }
}

/// `MAX_SIZE`: a constant by its name.
fn is_screaming(name: &str) -> bool {
    name.len() > 1
        && name.bytes().any(|byte| byte.is_ascii_uppercase())
        && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// A type without its arguments, references and module.
fn simple_type(name: &str) -> &str {
    let name = name
        .trim_start_matches(|sign: char| !sign.is_alphanumeric() && sign != '_')
        .trim_start_matches("mut ")
        .trim_start_matches("const ");
    let end = name.find(['<', '[', ' ', '|', '?']).unwrap_or(name.len());
    name.get(..end).unwrap_or(name)
}

fn is_number_type(name: &str) -> bool {
    matches!(
        name,
        "int"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "usize"
            | "isize"
            | "float"
            | "f32"
            | "f64"
            | "double"
            | "bool"
            | "boolean"
            | "number"
            | "long"
            | "short"
            | "Integer"
            | "Long"
            | "Boolean"
            | "Double"
            | "int64"
            | "int32"
            | "uint"
            | "uint64"
            | "uint32"
            | "float64"
            | "size_t"
            | "time.Duration"
            | "Duration"
            | "UUID"
            | "Uuid"
    )
}
