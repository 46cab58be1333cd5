//! The read tools of a project on a folder of the test.

use std::os::unix::fs::symlink;
use std::path::Path;

use sayso_core::redact::Redactor;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{GlobFileSearch, Grep, ReadFile};
use crate::testing::{call, call_context, run};
use crate::{Tool, ToolLimits, Toolbox};

async fn told(root: &Path, tool: &str, arguments: Value) -> String {
    let limits = ToolLimits {
        max_output_bytes: 4096,
        ..ToolLimits::default()
    };
    let tools: Vec<Box<dyn Tool>> = vec![
        Box::new(ReadFile::new(limits)),
        Box::new(GlobFileSearch::new()),
        Box::new(Grep::new(limits)),
    ];
    let toolbox = Toolbox::new(tools, limits, Redactor::new([]).unwrap());
    let ran = run(&toolbox, call(tool, arguments), &call_context(root)).await;
    ran.outcome.for_model()
}

fn write(root: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// A small project with rules of what is ignored, beside a folder that is none of its.
fn project() -> TempDir {
    let directory = TempDir::new().unwrap();
    let root = directory.path().join("project");
    write(&root, ".gitignore", "target/\n*.log\n!keep.log\n");
    write(&root, "src/main.rs", "fn main() {\n    login();\n}\n");
    write(&root, "src/login.rs", "pub fn login() {}\n");
    write(&root, "src/.gitignore", "/generated.rs\n");
    write(&root, "src/generated.rs", "fn login_generated() {}\n");
    write(&root, "target/out.rs", "fn login_built() {}\n");
    write(&root, "trace.log", "login\n");
    write(&root, "keep.log", "login kept\n");
    write(&root, ".git/config", "login\n");
    write(&root, ".env", "TOKEN=login\n");
    write(&root, "picture.rs", b"login\0login\n");
    write(
        directory.path(),
        "beside/secret.rs",
        "fn login_beside() {}\n",
    );
    symlink(directory.path().join("beside"), root.join("linked")).unwrap();
    symlink(&root, root.join("src/again")).unwrap();
    directory
}

#[tokio::test]
async fn files_are_listed_without_those_that_are_ignored_or_elsewhere() {
    let directory = project();
    let root = directory.path().join("project");
    let listed = told(&root, "glob_file_search", json!({"pattern": "*.rs"})).await;
    insta::assert_snapshot!(listed, @r"
    picture.rs
    src/login.rs
    src/main.rs
    ");
    let listed = told(&root, "glob_file_search", json!({"pattern": "*.log"})).await;
    assert_eq!(listed, "keep.log");
    let within = json!({"pattern": "src/*.rs", "path": "src"});
    let listed = told(&root, "glob_file_search", within).await;
    assert_eq!(listed, "src/login.rs\nsrc/main.rs");
    let none = told(&root, "glob_file_search", json!({"pattern": "*.py"})).await;
    assert_eq!(none, "(no file matches)");
    let wrong = told(&root, "glob_file_search", json!({"pattern": "a[b"})).await;
    assert!(wrong.contains("the pattern cannot be read"), "{wrong}");
    let linked = json!({"pattern": "*.rs", "path": "linked"});
    let outside = told(&root, "glob_file_search", linked).await;
    assert!(outside.contains("leads out of the workspace"), "{outside}");
}

#[tokio::test]
async fn matching_lines_are_shown_with_file_and_number() {
    let directory = project();
    let root = directory.path().join("project");
    let found = told(&root, "grep", json!({"pattern": "login"})).await;
    insta::assert_snapshot!(found, @r"
    keep.log
    1: login kept
    src/login.rs
    1: pub fn login() {}
    src/main.rs
    2:     login();
    [1 files were not searched: they keep secrets by their names, or are too large]
    ");
    let around =
        json!({"pattern": "LOGIN", "path": "src/main.rs", "ignore_case": true, "context": 1});
    let found = told(&root, "grep", around).await;
    insta::assert_snapshot!(found, @r"
    src/main.rs
    1- fn main() {
    2:     login();
    3- }
    ");
    let only = json!({"pattern": "login", "glob": "main.*"});
    let found = told(&root, "grep", only).await;
    assert!(found.starts_with("src/main.rs\n2:"), "{found}");
    let wrong = told(&root, "grep", json!({"pattern": "(a"})).await;
    assert!(wrong.contains("`pattern` cannot be read"), "{wrong}");
    let huge = told(&root, "grep", json!({"pattern": "(a{999}){999}"})).await;
    assert!(huge.contains("`pattern` cannot be read"), "{huge}");
}

#[tokio::test]
async fn many_matches_are_cut_and_that_is_said() {
    let directory = TempDir::new().unwrap();
    write(directory.path(), "many.txt", "line\n".repeat(1000));
    let found = told(directory.path(), "grep", json!({"pattern": "line"})).await;
    assert_eq!(
        found
            .lines()
            .filter(|line| line.ends_with(": line"))
            .count(),
        200
    );
    assert!(found.contains("[there are more matches;"), "{found}");
}

#[tokio::test]
async fn lines_have_numbers_and_a_range_reads_on() {
    let directory = TempDir::new().unwrap();
    let root = directory.path();
    let lines: Vec<String> = (1..=500)
        .map(|number| format!("line {number}\r\n"))
        .collect();
    write(root, "long.txt", lines.concat());
    let range = json!({"path": "long.txt", "start_line": 2, "end_line": 3});
    let read = told(root, "read_file", range).await;
    assert_eq!(
        read,
        "    2\tline 2\n    3\tline 3\n[lines 2 to 3 of 500; read on with start_line 4]"
    );
    let read = told(root, "read_file", json!({"path": "long.txt"})).await;
    assert!(read.starts_with("    1\tline 1\n"), "{read}");
    assert!(read.contains("; read on with start_line "), "{read}");
    let past = json!({"path": "long.txt", "start_line": 501});
    let read = told(root, "read_file", past).await;
    assert!(
        read.contains("line 501 is past the end; it has 500 lines"),
        "{read}"
    );
    let wrong = json!({"path": "long.txt", "start_line": 5, "end_line": 4});
    let read = told(root, "read_file", wrong).await;
    assert!(read.contains("`end_line` is not before it"), "{read}");
    write(root, "short.txt", "one");
    let read = told(root, "read_file", json!({"path": "short.txt"})).await;
    assert_eq!(read, "    1\tone");
    write(root, "picture.png", b"\x89PNG\0\0");
    let read = told(root, "read_file", json!({"path": "picture.png"})).await;
    assert_eq!(read, "[a binary file of 6 bytes]");
    write(root, "empty", "");
    let read = told(root, "read_file", json!({"path": "empty"})).await;
    assert_eq!(read, "[the file is empty]");
}

#[tokio::test]
async fn a_file_that_is_too_large_is_refused_in_words() {
    let directory = TempDir::new().unwrap();
    let root = directory.path();
    let file = std::fs::File::create(root.join("huge.txt")).unwrap();
    file.set_len(2 * 1024 * 1024 * 1024).unwrap();
    let read = told(root, "read_file", json!({"path": "huge.txt"})).await;
    assert!(read.contains("it is larger than 16 MiB"), "{read}");
    let found = told(root, "grep", json!({"pattern": "x"})).await;
    assert!(found.contains("[1 files were not searched"), "{found}");
}
