//! How far our cyclomatic complexity agrees with `lizard`, and with `radon` for Python, on public packages.
//!
//! `cargo bench --bench quality --profile dev` installs both tools into a virtual environment below
//! `target/quality-bench`, and the packages through `pip`, `npm` and `go`; Rust and C come from the sources
//! that cargo has. Java has no registry client here: its functions are compared where `SAYSO_JAVA_SOURCES`
//! names a folder. The last line is one JSON line. A function counts where both find one on the same line.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use sayso_quality::{FileReport, analyse};
use serde_json::{Value, json};

/// Prints each function that `lizard` finds: file, line and complexity.
const LIZARD: &str = "
import sys, lizard
for path in sys.stdin.read().split('\\n'):
    try:
        found = lizard.analyze_file(path).function_list
    except Exception:
        continue
    for f in found:
        print(path, f.start_line, f.cyclomatic_complexity, sep='\\t')
";

/// The same for `radon`; methods and closures included.
const RADON: &str = "
import sys
from radon.complexity import cc_visit
def every(blocks):
    for b in blocks:
        if hasattr(b, 'methods'):
            yield from every(b.methods)
            yield from every(b.inner_classes)
        else:
            yield b
            yield from every(b.closures)
for path in sys.stdin.read().split('\\n'):
    try:
        found = cc_visit(open(path, encoding='utf-8').read())
    except Exception:
        continue
    for f in every(found):
        print(path, f.lineno, f.complexity, sep='\\t')
";

const PYTHON: [&str; 3] = ["flask==3.1.0", "requests==2.32.3", "rich==13.9.4"];
const NODE: [&str; 3] = ["express@4.21.2", "axios@1.7.9", "commander@12.1.0"];
const TYPESCRIPT: [&str; 2] = ["zod@4.0.5", "rxjs@7.8.1"];
const GO: [&str; 2] = [
    "github.com/spf13/cobra@v1.8.1",
    "github.com/gorilla/mux@v1.8.1",
];
const CRATES: [&str; 4] = ["clap_builder-", "regex-automata-", "toml-", "serde_json-"];
const C_CRATES: [&str; 2] = ["tree-sitter-0", "zstd-sys-"];

/// The most files of one language.
const MAX_FILES: usize = 400;

#[derive(Default)]
struct Agreement {
    files: usize,
    functions: usize,
    same: usize,
    within_one: usize,
    only_theirs: usize,
}

fn main() {
    // `cargo test` runs benches without `--bench`: nothing is installed then.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../target/quality-bench");
    let report = root_of(&root).and_then(|()| measure(&root));
    match report {
        Some(report) => println!("{report}"),
        None => println!(
            "{}",
            json!({"bench": "quality", "error": "the tools cannot be installed"})
        ),
    }
}

fn root_of(root: &Path) -> Option<()> {
    std::fs::create_dir_all(root).ok()?;
    let python = root.join("venv/bin/python");
    if !python.exists() {
        run(Command::new("python3")
            .args(["-m", "venv"])
            .arg(root.join("venv")))?;
    }
    let pip = root.join("venv/bin/pip");
    run(Command::new(&pip).args(["install", "-q", "lizard==1.24.3", "radon==6.0.1"]))?;
    let packages = root.join("python");
    let mut install = Command::new(&pip);
    install
        .args(["install", "-q", "--no-deps", "--upgrade", "--target"])
        .arg(&packages);
    run(install.args(PYTHON))?;
    let mut install = Command::new("npm");
    install
        .args(["install", "--silent", "--ignore-scripts", "--prefix"])
        .arg(root.join("node"));
    let _ = run(install.args(NODE).args(TYPESCRIPT));
    for module in GO {
        let mut download = Command::new("go");
        download.args(["mod", "download", "-modcacherw", module]);
        let _ = run(download
            .env("GOMODCACHE", root.join("go"))
            .current_dir(root));
    }
    Some(())
}

fn run(command: &mut Command) -> Option<()> {
    command.status().ok()?.success().then_some(())
}

fn measure(root: &Path) -> Option<Value> {
    let home = std::env::var("CARGO_HOME").ok().map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var("HOME").ok()?).join(".cargo")))?;
    let registry = home.join("registry/src");
    let java = std::env::var("SAYSO_JAVA_SOURCES").ok().map(PathBuf::from);
    let all: [(&str, Vec<PathBuf>, &[&str]); 7] = [
        ("python", vec![root.join("python")], &["py"]),
        (
            "javascript",
            vec![root.join("node/node_modules")],
            &["js", "mjs", "cjs"],
        ),
        ("typescript", vec![root.join("node/node_modules")], &["ts"]),
        ("go", vec![root.join("go/github.com")], &["go"]),
        ("rust", crates(&registry, &CRATES), &["rs"]),
        ("c", crates(&registry, &C_CRATES), &["c", "h", "cpp"]),
        ("java", java.into_iter().collect(), &["java"]),
    ];
    let mut lines = BTreeMap::new();
    let (mut functions, mut within_one) = (0, 0);
    for (language, folders, extensions) in all {
        let files = files(&folders, extensions);
        let ours = ours(&files);
        let found = compare(root, LIZARD, &files, &ours)?;
        functions += found.functions;
        within_one += found.within_one;
        println!("{language}: {}", shown(&found));
        lines.insert(language, shown(&found));
        if language == "python" {
            let found = compare(root, RADON, &files, &ours)?;
            println!("python, radon: {}", shown(&found));
            lines.insert("python_radon", shown(&found));
        }
    }
    let share = within_one as f64 / functions.max(1) as f64;
    Some(json!({
        "bench": "quality",
        "functions": functions,
        "within_one": share,
        "languages": lines,
    }))
}

fn crates(registry: &Path, names: &[&str]) -> Vec<PathBuf> {
    let indexes = std::fs::read_dir(registry).into_iter().flatten().flatten();
    let all = indexes.flat_map(|index| std::fs::read_dir(index.path()).into_iter().flatten());
    let paths = all.flatten().map(|entry| entry.path());
    let is_wanted = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        names.iter().any(|wanted| name.starts_with(wanted))
    };
    paths.filter(is_wanted).collect()
}

fn files(folders: &[PathBuf], extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = folders.to_vec();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_wanted = path.extension().is_some_and(|extension| {
                extensions
                    .iter()
                    .any(|wanted| extension.to_str() == Some(wanted))
            });
            if path.is_dir() {
                open.push(path);
            } else if is_wanted && !name.contains(".d.") && !name.contains(".min.") {
                found.push(path);
            }
        }
    }
    found.sort();
    found.truncate(MAX_FILES);
    found
}

fn ours(files: &[PathBuf]) -> BTreeMap<String, FileReport> {
    let mut reports = BTreeMap::new();
    for path in files {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        // Only the name: folders of packages are vendored to us.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let report = analyse(&name, &text);
        if report.skipped.is_none() {
            reports.insert(path.to_string_lossy().into_owned(), report);
        }
    }
    reports
}

fn compare(
    root: &Path,
    script: &str,
    files: &[PathBuf],
    ours: &BTreeMap<String, FileReport>,
) -> Option<Agreement> {
    let list = root.join("files");
    let paths: Vec<_> = files.iter().map(|path| path.to_string_lossy()).collect();
    std::fs::write(&list, paths.join("\n")).ok()?;
    let mut python = Command::new(root.join("venv/bin/python"));
    python
        .args(["-c", script])
        .stdin(std::fs::File::open(&list).ok()?);
    let output = python.output().ok()?;
    let mut found = Agreement {
        files: ours.len(),
        ..Agreement::default()
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut cells = line.split('\t');
        let (Some(path), Some(at), Some(complexity)) = (cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        let (Ok(at), Ok(theirs)) = (at.parse::<usize>(), complexity.parse::<usize>()) else {
            continue;
        };
        let Some(report) = ours.get(path) else {
            continue;
        };
        let here = report
            .functions
            .iter()
            .filter(|function| function.line == at);
        match here
            .map(|function| function.complexity.abs_diff(theirs))
            .min()
        {
            Some(difference) => {
                found.functions += 1;
                found.same += usize::from(difference == 0);
                found.within_one += usize::from(difference <= 1);
            }
            None => found.only_theirs += 1,
        }
    }
    Some(found)
}

fn shown(found: &Agreement) -> Value {
    let share = |count: usize| count as f64 / found.functions.max(1) as f64;
    json!({
        "files": found.files,
        "functions": found.functions,
        "same": share(found.same),
        "within_one": share(found.within_one),
        "only_theirs": found.only_theirs,
    })
}
