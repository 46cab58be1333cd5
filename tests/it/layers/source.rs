//! A source file as the rules see it: its lines, what is test, what is comment, what it names.

/// The crates in `src/` besides `sayso` itself, an inner one before the one around it: the folder, and
/// the name in code.
pub const CRATES: [(&str, &str); 13] = [
    ("src/work/checks/", "sayso_checks"),
    ("src/code/", "sayso_code"),
    ("src/codebase/", "sayso_codebase"),
    ("src/core/", CORE),
    ("src/policy/injection/", "sayso_injection"),
    ("src/policy/", "sayso_policy"),
    ("src/providers/", "sayso_providers"),
    ("src/store/", "sayso_store"),
    ("src/tools/fetch/", "sayso_fetch"),
    ("src/tools/sandbox/", "sayso_sandbox"),
    ("src/tools/", "sayso_tools"),
    ("src/memory/", "sayso_memory"),
    ("src/work/quality/", "sayso_quality"),
];
/// The crate that has rooms of its own; each other one is a room.
pub const CORE: &str = "sayso_core";
/// The crate of all other rooms.
pub const SAYSO: &str = "sayso";

/// A source file.
pub struct Source {
    /// Its path below the workspace, with `/`.
    pub path: String,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A line of a source file.
pub struct Line {
    /// The line as it stands.
    pub text: String,
    /// Whether it belongs to a test.
    pub is_test: bool,
    /// In how many modules of this file it stands.
    pub nesting: usize,
}

/// A function, from its signature to its closing brace.
pub struct Function {
    /// Its name.
    pub name: String,
    /// How many lines it has.
    pub length: usize,
    /// The comments and attributes right above it, without their indentation.
    pub above: Vec<String>,
}

impl Source {
    /// Reads a file that rustfmt has formatted: a block ends at a brace as deep as its beginning.
    pub fn new(path: &str, text: &str) -> Self {
        let is_test_file = is_test_file(path);
        let mut modules: Vec<(String, bool)> = Vec::new();
        let mut after_cfg_test = false;
        let mut lines = Vec::new();
        for text in text.lines() {
            if modules.last().is_some_and(|(end, _)| text == end) {
                modules.pop();
            }
            let is_test = is_test_file || modules.iter().any(|(_, is_test)| *is_test);
            lines.push(Line {
                text: text.to_owned(),
                is_test,
                nesting: modules.len(),
            });
            let trimmed = text.trim_start();
            let opens_module = trimmed.trim_start_matches("pub ").starts_with("mod ");
            if opens_module && trimmed.ends_with('{') {
                let indent = &text[..text.len() - trimmed.len()];
                modules.push((format!("{indent}}}"), after_cfg_test));
            }
            after_cfg_test =
                trimmed == "#[cfg(test)]" || (after_cfg_test && trimmed.starts_with("#["));
        }
        Self {
            path: path.to_owned(),
            lines,
        }
    }

    /// Returns whether the whole file is for tests.
    pub fn is_test_file(&self) -> bool {
        is_test_file(&self.path)
    }

    /// Returns the crate in `src/` that the file belongs to, as code names it, and its path there.
    pub fn place(&self) -> Option<(&'static str, &str)> {
        let mut crates = CRATES.iter();
        let found = crates.find_map(|(folder, name)| {
            let inside = self.path.strip_prefix(folder)?;
            Some((*name, inside))
        });
        found.or_else(|| Some((SAYSO, self.path.strip_prefix("src/")?)))
    }

    /// Returns the room that the file belongs to, or `None` outside of the rooms.
    pub fn room(&self) -> Option<&str> {
        match self.place()? {
            (SAYSO | CORE, inside) => Some(inside.split_once('/')?.0),
            (name, _) => name.strip_prefix("sayso_"),
        }
    }

    /// Returns how deep the file's module is below the root of its crate.
    pub fn depth(&self) -> usize {
        let (_, inside) = self.path.split_once("src/").unwrap_or_default();
        let folders = inside.matches('/').count();
        let is_folder = inside.ends_with("mod.rs") || folders == 0;
        // A sibling `x_tests.rs` is the module `tests` of its neighbour.
        let is_sibling = inside.ends_with("_tests.rs");
        folders + usize::from(!is_folder) + usize::from(is_sibling)
    }

    /// Returns what is code of the product, line by line: no tests, no comments.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let product = |(_, line): &(usize, &Line)| !line.is_test;
        self.code_and_tests()
            .zip(&self.lines)
            .enumerate()
            .filter_map(move |(at, (text, line))| product(&(at, line)).then_some((at + 1, text)))
    }

    /// Returns all lines without their comments.
    pub fn code_and_tests(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| {
            let text = line.text.as_str();
            if text.trim_start().starts_with("//") {
                ""
            } else {
                text.split(" // ").next().unwrap_or_default()
            }
        })
    }

    /// Returns the whole text without its comments, to read paths that go over several lines.
    pub fn joined(&self) -> String {
        self.code_and_tests().collect::<Vec<_>>().join("\n")
    }

    /// Returns the functions, those of tests too.
    pub fn functions(&self) -> Vec<Function> {
        let begins = |(at, line): (usize, &Line)| Some((at, function_name(&line.text)?));
        self.lines
            .iter()
            .enumerate()
            .filter_map(begins)
            .map(|(at, name)| Function {
                name,
                length: self.block_length(at),
                above: self.above(at),
            })
            .collect()
    }

    /// Returns the comments and attributes right above a line.
    fn above(&self, at: usize) -> Vec<String> {
        let before = self.lines[..at].iter().rev();
        before
            .map(|line| line.text.trim())
            .take_while(|text| text.starts_with("//") || text.starts_with("#["))
            .map(str::to_owned)
            .collect()
    }

    fn block_length(&self, start: usize) -> usize {
        let first = &self.lines[start].text;
        let indent = &first[..first.len() - first.trim_start().len()];
        if first.ends_with('}') || first.ends_with(';') {
            return 1;
        }
        let is_end = |line: &Line| {
            line.text
                .strip_prefix(indent)
                .is_some_and(|rest| rest == "}" || (rest.starts_with(')') && rest.ends_with(';')))
        };
        let block = &self.lines[start + 1..];
        let end = block.iter().position(is_end).unwrap_or(block.len());
        end + 2
    }
}

/// Returns whether a file of this path is for tests.
fn is_test_file(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("tests.rs") || path.ends_with("/testing.rs")
}

/// Returns the name of the function whose signature begins in this line.
fn function_name(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().peekable();
    while words.next_if(|word| is_qualifier(word)).is_some() {}
    words.next_if_eq(&"fn")?;
    let name = words.next()?;
    Some(name.split(['(', '<']).next()?.to_owned())
}

fn is_qualifier(word: &str) -> bool {
    matches!(word, "const" | "async" | "unsafe") || word.starts_with("pub")
}
