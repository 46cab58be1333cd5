//! Limits that hold by structure: how much a parameter bundles, how often a name is bound anew, what
//! a trait asks for, and how an error is named. They are read from the syntax, not from lines.

use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, Expr, ExprCall, ExprPath, FnArg, GenericArgument, ImplItemFn, Item, ItemFn,
    ItemTrait, Local, Macro, Pat, PathArguments, Signature, Stmt, TraitItem, TraitItemFn, Type,
};

use super::source::Source;

/// The most methods of a trait: a larger one serves several purposes.
const TRAIT_METHODS: usize = 8;

/// Returns everything that is beyond the limits.
pub fn breaches(source: &Source) -> Vec<String> {
    let Reading {
        tuple_parameters,
        rebindings,
        large_traits,
        text_errors,
        nested_results,
        ..
    } = Reading::of(source);
    [
        tuple_parameters,
        rebindings,
        large_traits,
        text_errors,
        nested_results,
    ]
    .concat()
}

/// A parameter is one thing: a tuple would bundle arguments past every limit on their number.
pub fn tuple_parameters(source: &Source) -> Vec<String> {
    Reading::of(source).tuple_parameters
}

/// A name is bound anew once, not in a row: steps have names of their own, or are one expression.
pub fn rebindings(source: &Source) -> Vec<String> {
    Reading::of(source).rebindings
}

/// A trait asks for one purpose.
pub fn large_traits(source: &Source) -> Vec<String> {
    Reading::of(source).large_traits
}

/// An error has a type of its own, which says what can go wrong.
pub fn text_errors(source: &Source) -> Vec<String> {
    Reading::of(source).text_errors
}

/// What can fail, be absent and fail again is an enum with three names.
pub fn nested_results(source: &Source) -> Vec<String> {
    Reading::of(source).nested_results
}

/// What is beyond the limits in a file, of each kind.
#[derive(Default)]
struct Reading {
    tuple_parameters: Vec<String>,
    rebindings: Vec<String>,
    large_traits: Vec<String>,
    text_errors: Vec<String>,
    nested_results: Vec<String>,
    path: String,
    /// The function that is read.
    function: String,
    /// The names of this file that stand for a tuple.
    tuples: Vec<String>,
    /// Whether what is read belongs to a test, where tables of values are compared.
    is_test: bool,
}

impl Reading {
    fn of(source: &Source) -> Self {
        let mut reading = Self {
            path: source.path.clone(),
            is_test: source.is_test_file(),
            ..Self::default()
        };
        let lines: Vec<&str> = source.lines.iter().map(|line| line.text.as_str()).collect();
        let file = syn::parse_file(&lines.join("\n")).unwrap();
        let items = file.items.iter();
        let named = items.filter_map(|item| match item {
            Item::Type(alias) if is_tuple(&alias.ty, &[]) => Some(alias.ident.to_string()),
            _ => None,
        });
        reading.tuples = named.collect();
        reading.visit_file(&file);
        reading
    }

    fn breach(&self, what: &str) -> String {
        format!("{}: `{}`: {what}", self.path, self.function)
    }

    fn within(&mut self, signature: &Signature, read: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.function, signature.ident.to_string());
        read(self);
        self.function = outer;
    }

    fn check_parameter(&mut self, parameter: &FnArg) {
        let FnArg::Typed(parameter) = parameter else {
            return;
        };
        let takes_apart = matches!(*parameter.pat, Pat::Tuple(_));
        if !self.is_test && (takes_apart || is_tuple(&parameter.ty, &self.tuples)) {
            let breach = self.breach("a parameter is a tuple");
            self.tuple_parameters.push(breach);
        }
    }

    fn check_result(&mut self, ty: &Type) {
        let Some(arguments) = arguments_of(ty, "Result") else {
            return;
        };
        let error = arguments.get(1).copied();
        if !self.is_test && error.is_some_and(|error| arguments_of(error, "String").is_some()) {
            let breach = self.breach("the error is a `String`");
            self.text_errors.push(breach);
        }
        let found = arguments.first().and_then(|ty| arguments_of(ty, "Option"));
        let inner = found.and_then(|found| found.first().copied());
        if inner.is_some_and(|inner| arguments_of(inner, "Result").is_some()) {
            let breach = self.breach("a result in an option in a result");
            self.nested_results.push(breach);
        }
    }
}

impl<'ast> Visit<'ast> for Reading {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            _ => &[],
        };
        let outer = self.is_test;
        self.is_test |= attributes.iter().any(is_for_tests);
        visit::visit_item(self, item);
        self.is_test = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.within(&item.sig, |reading| visit::visit_item_fn(reading, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.within(&item.sig, |reading| {
            visit::visit_impl_item_fn(reading, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.within(&item.sig, |reading| {
            visit::visit_trait_item_fn(reading, item);
        });
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        for parameter in &signature.inputs {
            self.check_parameter(parameter);
        }
        visit::visit_signature(self, signature);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        let methods = item.items.iter();
        let methods = methods.filter(|item| matches!(item, TraitItem::Fn(_)));
        let methods = methods.count();
        if methods > TRAIT_METHODS {
            let (path, name) = (&self.path, &item.ident);
            self.large_traits.push(format!(
                "{path}: the trait `{name}` has {methods} methods, {TRAIT_METHODS} at most"
            ));
        }
        visit::visit_item_trait(self, item);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for pair in block.stmts.windows(2) {
            if let [Stmt::Local(first), Stmt::Local(second)] = pair
                && let Some(name) = rebound(first)
                && rebound(second).as_ref() == Some(&name)
            {
                let breach = self.breach(&format!("`{name}` is bound anew twice in a row"));
                self.rebindings.push(breach);
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        self.check_result(ty);
        visit::visit_type(self, ty);
    }
}

/// Returns whether an attribute is `#[test]`, `#[tokio::test]` or `#[cfg(test)]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    let names = |path: &syn::Path| path.segments.last().is_some_and(|it| it.ident == "test");
    let condition = || attribute.parse_args::<syn::Path>();
    names(attribute.path())
        || (attribute.path().is_ident("cfg") && condition().is_ok_and(|path| names(&path)))
}

/// Returns whether a parameter of this type bundles several: a tuple, a reference to one, an optional
/// one, or a name for one of these.
fn is_tuple(ty: &Type, named: &[String]) -> bool {
    match ty {
        Type::Tuple(tuple) => tuple.elems.len() > 1,
        Type::Reference(reference) => is_tuple(&reference.elem, named),
        Type::Path(path) => {
            let optional = arguments_of(ty, "Option");
            let optional = optional.and_then(|inner| inner.first().copied());
            let last = path.path.segments.last();
            last.is_some_and(|last| named.iter().any(|name| last.ident == name))
                || optional.is_some_and(|inner| is_tuple(inner, named))
        }
        _ => false,
    }
}

/// Returns the types in the angle brackets of a type, if it has this name.
fn arguments_of<'a>(ty: &'a Type, name: &str) -> Option<Vec<&'a Type>> {
    let Type::Path(path) = ty else { return None };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return Some(Vec::new());
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some(types.collect())
}

/// Returns the name that a statement binds to what is made of the same name.
fn rebound(local: &Local) -> Option<String> {
    let pattern = match &local.pat {
        Pat::Type(typed) => &typed.pat,
        other => other,
    };
    let Pat::Ident(bound) = pattern else {
        return None;
    };
    let name = bound.ident.to_string();
    let mut mention = Mention {
        name: &name,
        is_found: false,
    };
    mention.visit_expr(&local.init.as_ref()?.expr);
    mention.is_found.then_some(name)
}

/// Whether an expression reads a name.
struct Mention<'a> {
    name: &'a str,
    is_found: bool,
}

impl<'ast> Visit<'ast> for Mention<'_> {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        // A function may have the name that its result gets.
        if !matches!(*call.func, Expr::Path(_)) {
            self.visit_expr(&call.func);
        }
        for argument in &call.args {
            self.visit_expr(argument);
        }
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        self.is_found |= path.path.is_ident(self.name);
    }

    fn visit_macro(&mut self, invoked: &'ast Macro) {
        let text = invoked.tokens.to_string();
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = text.split(|letter| !is_name(letter));
        self.is_found |= words.any(|word| word == self.name);
    }
}
