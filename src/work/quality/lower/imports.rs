//! Names that come from elsewhere.

use tree_sitter::Node;

use super::Lowering;
use crate::code::{Imported, Kind};
use crate::tokens::{Step, parts, visit};

impl<'t> Lowering<'t> {
    pub(super) fn import(self, node: Node<'t>) -> Option<Kind<'t>> {
        let mut found = Vec::new();
        match node.kind() {
            "import_statement" if Self::field(node, "source").is_some() => {
                self.of_javascript(node, &mut found);
            }
            "import_statement" => {
                for part in parts(node) {
                    let (path, name) = self.aliased(part);
                    let first = path.split('.').next().unwrap_or(path);
                    let path = if name == path { first } else { path };
                    let name = if path == first && name.contains('.') {
                        first
                    } else {
                        name
                    };
                    found.push(imported(name, path));
                }
            }
            "import_from_statement" => {
                let module = self.text(Self::field(node, "module_name")?);
                for part in parts(node).into_iter().skip(1) {
                    let (path, name) = self.aliased(part);
                    found.push(imported(name, &format!("{module}.{path}")));
                }
            }
            "import_spec" => {
                let path = self.unquoted(Self::field(node, "path")?);
                let last = path
                    .rsplit('/')
                    .find(|part| !is_version(part))
                    .unwrap_or(path);
                let name = Self::field(node, "name").map_or(last, |name| self.text(name));
                found.push(Imported {
                    name,
                    path: last.to_owned(),
                });
            }
            "import_declaration" if node.child_by_field_name("path").is_none() => {
                let nested = parts(node)
                    .iter()
                    .any(|it| it.kind().starts_with("import_spec"));
                let path = parts(node).into_iter().next().map(|it| self.text(it))?;
                if nested {
                    return None;
                }
                let name = path.rsplit('.').next().unwrap_or(path);
                found.push(imported(name, path));
            }
            "use_declaration" => self.of_rust(node, &mut found),
            _ => return None,
        }
        Some(Kind::Import(found))
    }

    /// The path and the name of `path as name`.
    fn aliased(self, node: Node<'t>) -> (&'t str, &'t str) {
        match (Self::field(node, "name"), Self::field(node, "alias")) {
            (Some(path), Some(alias)) => (self.text(path), self.text(alias)),
            _ => (self.text(node), self.text(node)),
        }
    }

    fn of_javascript(self, node: Node<'t>, found: &mut Vec<Imported<'t>>) {
        let Some(source) = Self::field(node, "source") else {
            return;
        };
        let module = module_name(self.unquoted(source));
        visit(node, |part| {
            match part.kind() {
                "import_specifier" => {
                    let (path, name) = self.aliased(part);
                    found.push(imported(name, &format!("{module}.{path}")));
                    return Step::Over;
                }
                "identifier" => found.push(imported(self.text(part), module)),
                _ => {}
            }
            Step::Into
        });
    }

    /// `use a::{b, c as d}`.
    fn of_rust(self, node: Node<'t>, found: &mut Vec<Imported<'t>>) {
        let mut open = vec![(node, String::new())];
        while let Some((node, prefix)) = open.pop() {
            let with = |text: &str| {
                let text = text.replace("::", ".");
                if prefix.is_empty() {
                    text
                } else {
                    format!("{prefix}.{text}")
                }
            };
            match node.kind() {
                "use_declaration" | "use_list" => {
                    let inner = parts(node).into_iter();
                    open.extend(inner.map(|part| (part, prefix.clone())));
                }
                "scoped_use_list" => {
                    let path = Self::field(node, "path").map(|path| self.text(path));
                    let list = Self::field(node, "list");
                    open.extend(list.map(|list| (list, with(path.unwrap_or_default()))));
                }
                "use_as_clause" => {
                    let path = Self::field(node, "path").map(|path| self.text(path));
                    let alias = Self::field(node, "alias").map(|alias| self.text(alias));
                    if let (Some(path), Some(name)) = (path, alias) {
                        found.push(imported(name, &with(path)));
                    }
                }
                "identifier" | "scoped_identifier" => {
                    let text = self.text(node);
                    let name = text.rsplit("::").next().unwrap_or(text);
                    found.push(imported(name, &with(text)));
                }
                _ => {}
            }
        }
    }
}

/// The name of a module of Node, which may be written with `node:`.
pub(crate) fn module_name(source: &str) -> &str {
    source.strip_prefix("node:").unwrap_or(source)
}

fn imported<'t>(name: &'t str, path: &str) -> Imported<'t> {
    Imported {
        name,
        path: path.to_owned(),
    }
}

/// `v2` at the end of a path of Go.
fn is_version(part: &str) -> bool {
    part.strip_prefix('v')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|it| it.is_ascii_digit()))
}
