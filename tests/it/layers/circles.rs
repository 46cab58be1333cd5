//! Files of a room that reach themselves by what they use: `a` uses `b`, and `b` uses `a`.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// A module of a room, by its path below the room; the room itself is empty.
type Module = Vec<String>;

/// Which modules a module uses.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

/// Returns every circle of modules in a room, as the modules that are in it.
pub fn circles(sources: &[Source], room: &str) -> Vec<String> {
    let files: BTreeMap<Module, &Source> = sources
        .iter()
        .filter(|source| source.room() == Some(room))
        .filter_map(|source| Some((module_of(source, room)?, source)))
        .collect();
    assert!(!files.is_empty(), "there is no room `{room}`");
    let mut uses = Uses::new();
    for (module, source) in &files {
        uses.insert(module.clone(), used(&files, room, module, source));
    }
    let reached: Uses = uses
        .keys()
        .map(|from| (from.clone(), reached_from(&uses, from)))
        .collect();
    let circle_of = |from: &Module| -> BTreeSet<Module> {
        let comes_back = |to: &&Module| reached[*to].contains(from);
        reached[from].iter().filter(comes_back).cloned().collect()
    };
    let circles: BTreeSet<BTreeSet<Module>> = uses.keys().map(circle_of).collect();
    let circles = circles.into_iter().filter(|circle| !circle.is_empty());
    circles.map(|circle| in_words(&circle)).collect()
}

fn in_words(circle: &BTreeSet<Module>) -> String {
    let names: Vec<String> = circle.iter().map(|module| module.join("/")).collect();
    names.join(" → ")
}

/// Returns the module of a file; `None` of one that holds tests only.
fn module_of(source: &Source, room: &str) -> Option<Module> {
    let path = source.path.strip_prefix(&format!("src/{room}/"))?;
    let path = path.strip_suffix(".rs")?;
    if path.ends_with("tests") {
        return None;
    }
    let mut module: Module = path.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    Some(module)
}

fn reached_from(uses: &Uses, from: &Module) -> BTreeSet<Module> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&Module> = uses[from].iter().collect();
    while let Some(module) = next.pop() {
        if reached.insert(module.clone()) {
            next.extend(&uses[module]);
        }
    }
    reached
}

/// Returns the other modules of the room that a module names, in `use` and elsewhere.
fn used(
    files: &BTreeMap<Module, &Source>,
    room: &str,
    module: &Module,
    source: &Source,
) -> BTreeSet<Module> {
    let code: Vec<&str> = source.code().map(|(_, text)| text).collect();
    let code = code.join("\n");
    let mut paths = Vec::new();
    let mut rest = String::new();
    for (at, part) in code.split("use ").enumerate() {
        match part.split_once(';') {
            Some((tree, behind)) if at > 0 => {
                expand(tree.trim(), "", &mut paths);
                rest.push_str(behind);
            }
            Some(_) | None => rest.push_str(part),
        }
    }
    paths.extend(paths_in(&rest));
    let named = paths
        .iter()
        .filter_map(|path| absolute(files, room, module, path));
    let known = named.filter_map(|mut path| {
        while !files.contains_key(&path) {
            path.pop()?;
        }
        Some(path)
    });
    known.filter(|used| used != module).collect()
}

/// Writes a tree of `use` out as paths.
fn expand(tree: &str, before: &str, paths: &mut Vec<String>) {
    let tree = tree.split(" as ").next().unwrap_or_default().trim();
    let Some((head, group)) = tree.split_once('{') else {
        paths.push(format!("{before}{tree}"));
        return;
    };
    let before = format!("{before}{head}");
    let group = group.rsplit_once('}').map_or(group, |(inside, _)| inside);
    let mut depth = 0;
    let mut member = String::new();
    for letter in group.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            expand(member.trim(), &before, paths);
            member.clear();
        } else {
            member.push(letter);
        }
    }
    if !member.trim().is_empty() {
        expand(member.trim(), &before, paths);
    }
}

/// Returns the paths with `::` that stand in code.
fn paths_in(code: &str) -> Vec<String> {
    let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    code.split(|letter| !is_path(letter))
        .filter(|word| word.contains("::") && !word.starts_with(':'))
        .map(str::to_owned)
        .collect()
}

/// Returns a path below the room; `None` where it leads out of the room.
fn absolute(
    files: &BTreeMap<Module, &Source>,
    room: &str,
    module: &Module,
    path: &str,
) -> Option<Module> {
    let mut segments: Vec<&str> = path.split("::").map(str::trim).collect();
    if segments.first() == Some(&"crate") {
        let inside = (segments.get(1) == Some(&room)).then(|| &segments[2..])?;
        return Some(inside.iter().map(|name| (*name).to_owned()).collect());
    }
    let mut base = module.clone();
    let climbs = segments
        .first()
        .is_some_and(|first| matches!(*first, "super" | "self"));
    while segments
        .first()
        .is_some_and(|first| matches!(*first, "super" | "self"))
    {
        if segments.remove(0) == "super" {
            base.pop()?;
        }
    }
    let first = segments.first().map(|name| (*name).to_owned());
    let child: Module = base.iter().cloned().chain(first).collect();
    if !climbs && !files.contains_key(&child) {
        return None;
    }
    base.extend(segments.into_iter().map(str::to_owned));
    Some(base)
}

#[test]
fn a_circle_is_found_through_every_way_to_name_a_file() {
    let file = |path: &str, text: &str| Source::new(path, text);
    let check = |sources: &[Source], expected: &[&str]| {
        assert_eq!(circles(sources, "a"), expected);
    };
    let face = || file("src/a/mod.rs", "mod b;\nmod c;\npub use b::B;\n");
    let lonely = || file("src/a/c/mod.rs", "pub struct C;\n");
    check(
        &[face(), file("src/a/b.rs", "use super::c::C;\n"), lonely()],
        &[],
    );
    check(
        &[
            face(),
            file("src/a/b.rs", "use super::{\n    c::{self, C},\n};\n"),
            file("src/a/c/mod.rs", "fn c() {\n    crate::a::b::b()\n}\n"),
        ],
        &["b → c"],
    );
    // The face of a room is a file like any other.
    check(
        &[face(), file("src/a/b.rs", "use super::B;\n"), lonely()],
        &[" → b"],
    );
}
