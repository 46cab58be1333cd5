//! Files of one room name each other in one direction: there are no cycles between them.
//!
//! Read are the `use` trees and the paths in the code. A name that a `mod.rs` imports leads to the
//! file that it comes from. A `mod.rs` is the face of its folder, as a `lib.rs` is that of its crate, and
//! is left out, as tests are. A crate below `sayso` is taken as one room.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::{CRATES, SAYSO, Source};

/// The names of a path: of a module, or of something in one.
pub type Names = Vec<String>;

/// The longest chain of imports that is followed to where a name comes from.
const IMPORTS: usize = 16;

/// A file as a module.
struct Module<'a> {
    file: &'a str,
    /// Whether it is a `mod.rs` or a `lib.rs`.
    is_face: bool,
    /// What the names mean that its `use` trees bring in.
    imports: BTreeMap<String, Names>,
    /// Every path in it.
    paths: Vec<Names>,
}

/// The modules of a crate, by their paths from its root.
struct Modules<'a> {
    by_path: BTreeMap<Names, Module<'a>>,
    /// Whether each folder at the root is a room of its own.
    has_rooms: bool,
}

/// Which files of its room each file names.
type Edges<'a> = BTreeMap<&'a [String], BTreeSet<&'a [String]>>;

/// Returns cycles between files of one room, as the files that lead around each; none is left out
/// that shares no file with another.
pub fn cycles(sources: &[Source]) -> Vec<String> {
    let crates = CRATES.iter().map(|(_, name)| *name).chain([SAYSO]);
    crates
        .flat_map(|name| cycles_of(&Modules::of(sources, name)))
        .collect()
}

fn cycles_of(modules: &Modules<'_>) -> Vec<String> {
    let edges = modules.edges();
    let mut known = BTreeSet::new();
    let mut cycles = Vec::new();
    for module in edges.keys().copied() {
        if known.contains(module) {
            continue;
        }
        if let Some(cycle) = shortest_cycle(&edges, module) {
            let files = cycle.iter().map(|module| modules.by_path[*module].file);
            cycles.push(files.collect::<Vec<_>>().join(" -> "));
            known.extend(cycle);
        }
    }
    cycles
}

impl<'a> Modules<'a> {
    fn of(sources: &'a [Source], name: &str) -> Self {
        let code = sources.iter().filter(|source| !is_test(&source.path));
        let modules = code.filter_map(|source| {
            let (_, inside) = source.place().filter(|(owner, _)| *owner == name)?;
            let is_in_room = name != SAYSO || source.room().is_some();
            is_in_room.then(|| (module_of(inside), read(source)))
        });
        Self {
            by_path: modules.collect(),
            has_rooms: name == SAYSO,
        }
    }

    fn edges(&self) -> Edges<'_> {
        let files = self.by_path.iter().filter(|(_, module)| !module.is_face);
        files
            .map(|(place, module)| {
                let named = module
                    .paths
                    .iter()
                    .filter_map(|path| self.target(place, path));
                let is_edge = |target: &&[String]| {
                    let is_near = !self.has_rooms || target.first() == place.first();
                    *target != place && is_near && !self.by_path[*target].is_face
                };
                (place.as_slice(), named.filter(is_edge).collect())
            })
            .collect()
    }

    /// Returns the module that a path leads to from a place, through imports to where it comes from.
    fn target(&self, place: &[String], path: &[String]) -> Option<&[String]> {
        let (mut place, mut path) = (place.to_vec(), path.to_vec());
        let mut found = None;
        for _ in 0..IMPORTS {
            let absolute = self.absolute(&place, &path);
            let Some((module, rest)) = absolute.and_then(|path| self.split(&path)) else {
                break;
            };
            found = Some(module);
            let import = rest
                .first()
                .and_then(|name| self.by_path[module].imports.get(name));
            let Some(import) = import else {
                break;
            };
            place = module.to_vec();
            path = [import, &rest[1..]].concat();
        }
        found
    }

    /// Returns a path from the root of the crate; `None` for one that leads out of it.
    fn absolute(&self, place: &[String], path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        match self.by_path[place].imports.get(first) {
            Some(import) if import[0] != *first => self.rooted(place, &[import, rest].concat()),
            Some(_) | None => self.rooted(place, path),
        }
    }

    /// Returns the same for a path that begins with no import.
    fn rooted(&self, place: &[String], path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let mut base = place.to_vec();
        match first.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => drop(base.pop()?),
            _ => base.push(first.clone()),
        }
        let is_child = base.len() > place.len();
        if is_child && !self.by_path.contains_key(&base) {
            return None;
        }
        let climbs = rest.iter().take_while(|name| *name == "super").count();
        base.truncate(base.len().checked_sub(climbs)?);
        base.extend_from_slice(&rest[climbs..]);
        Some(base)
    }

    /// Splits a path into the innermost module and what is named in it.
    fn split(&self, path: &[String]) -> Option<(&[String], Names)> {
        (0..=path.len()).rev().find_map(|length| {
            let (module, _) = self.by_path.get_key_value(&path[..length])?;
            Some((module.as_slice(), path[length..].to_vec()))
        })
    }
}

/// Returns the shortest way from a module back to it, both ends included.
fn shortest_cycle<'a>(edges: &Edges<'a>, start: &'a [String]) -> Option<Vec<&'a [String]>> {
    let mut from: BTreeMap<&[String], &[String]> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(module) = waiting.pop_front() {
        for next in edges.get(module).into_iter().flatten().copied() {
            if next == start {
                let mut back = vec![start, module];
                while let Some(before) = from.get(back[back.len() - 1]) {
                    back.push(before);
                }
                back.reverse();
                return Some(back);
            }
            if !from.contains_key(next) {
                from.insert(next, module);
                waiting.push_back(next);
            }
        }
    }
    None
}

/// Whether a file holds tests alone.
pub fn is_test(file: &str) -> bool {
    file.contains("/tests/") || file.ends_with("tests.rs")
}

/// Returns the path of a file's module from the root of its crate.
fn module_of(inside: &str) -> Names {
    if inside == "lib.rs" {
        return Names::new();
    }
    let inside = inside.trim_end_matches(".rs");
    let names = inside.trim_end_matches("/mod").split('/');
    names.map(str::to_owned).collect()
}

/// Returns every path that a file names outside of its tests, those of its `use` trees whole.
pub fn paths(source: &Source) -> Vec<Names> {
    read(source).paths
}

/// Reads the `use` trees of a file and the paths in the rest of its code.
fn read(source: &Source) -> Module<'_> {
    let mut module = Module {
        file: &source.path,
        is_face: source.path.ends_with("/mod.rs") || source.path.ends_with("/lib.rs"),
        imports: BTreeMap::new(),
        paths: Vec::new(),
    };
    let mut tree: Option<String> = None;
    let mut is_for_tests = false;
    for (_, line) in source.code() {
        let line = line.trim();
        let begun = tree
            .take()
            .or_else(|| use_tree(line).map(|_| String::new()));
        let Some(begun) = begun else {
            is_for_tests = line == "#[cfg(test)]";
            module.paths.extend(paths_in(line));
            continue;
        };
        let text = begun + use_tree(line).unwrap_or(line);
        match text.strip_suffix(';') {
            Some(_) if is_for_tests => is_for_tests = false,
            Some(whole) => expand(&[], whole, &mut module),
            None => tree = Some(text),
        }
    }
    module
}

/// Returns what follows `use`, where a line begins with it.
fn use_tree(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    line.strip_prefix("use ")
}

/// Adds the paths of a `use` tree, and the names that they have in the file.
fn expand(before: &[String], tree: &str, module: &mut Module<'_>) {
    let tree = tree.trim();
    let (head, group) = match tree.split_once('{') {
        Some((head, group)) => (head, group.strip_suffix('}')),
        None => (tree, None),
    };
    let (head, alias) = head.split_once(" as ").unwrap_or((head, ""));
    let mut path = before.to_vec();
    path.extend(
        head.split("::")
            .filter(|it| !it.is_empty())
            .map(str::to_owned),
    );
    if let Some(group) = group {
        for member in members(group) {
            expand(&path, member, module);
        }
        return;
    }
    path.pop_if(|name| name == "self" && !before.is_empty());
    let name = path
        .last()
        .filter(|_| alias.is_empty())
        .map_or(alias, String::as_str);
    module.imports.insert(name.to_owned(), path.clone());
    module.paths.push(path);
}

/// Splits the members of a group at the commas that stand in no inner group.
fn members(group: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = group.split(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}

/// Returns the paths of several names in a line of code.
fn paths_in(line: &str) -> Vec<Names> {
    let is_of_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let words = line.split(|letter| !is_of_path(letter));
    let paths = words.filter(|word| word.contains("::"));
    paths
        .map(|path| path.split("::").map(str::to_owned).collect())
        .collect()
}
