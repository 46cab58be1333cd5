//! A patch made of two texts makes one of the other; a damaged patch changes nothing or does the same;
//! nothing that is read causes a panic. Texts are real: the sources of this crate and, where there is
//! material, other documents.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::super::{FileChange, PatchFormat, apply, parse, write};
use super::{after, applied, files};

const PATH: &str = "src/some file.rs";
const FORMATS: [PatchFormat; 2] = [PatchFormat::Envelope, PatchFormat::Unified];

/// How many cases each property has: few by default, all with `SAYSO_PATCH_CASES=10000`.
fn cases() -> u32 {
    let cases = std::env::var("SAYSO_PATCH_CASES").ok();
    cases.map_or(300, |cases| cases.parse().unwrap())
}

fn runner() -> TestRunner {
    TestRunner::new(Config {
        cases: cases(),
        failure_persistence: None,
        ..Config::default()
    })
}

/// Real texts: the sources of this crate, its data, and the documents beside `SAYSO_MATERIAL`.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    collect(&own.join("patch"), &mut texts);
    collect(&own.join("tests/data"), &mut texts);
    for document in ["README.md", "CHANGELOG.md", "Cargo.toml", "Cargo.lock"] {
        texts.push(std::fs::read_to_string(own.join("../..").join(document)).unwrap());
    }
    match std::env::var_os("SAYSO_MATERIAL") {
        Some(material) => collect(&Path::new(&material).join("../seeds"), &mut texts),
        None => println!("no documents beside SAYSO_MATERIAL: own sources only"),
    }
    texts.push("配置说明\n\n超时：三十秒。\n重试：两次。\n超时：三十秒。\n结束\n".repeat(9));
    texts.push("\n\n}\n}\n\n".repeat(30));
    assert!(texts.len() > 25);
    texts
});

fn collect(folder: &Path, texts: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            texts.push(text);
        }
    }
}

/// How a text is written.
#[derive(Debug, Clone, Copy)]
struct Spelling {
    has_crlf: bool,
    has_mark: bool,
}

impl Spelling {
    fn write(self, lines: &[String], has_newline: bool) -> String {
        let ending = if self.has_crlf { "\r\n" } else { "\n" };
        let mut text = lines.join(ending);
        if has_newline && !lines.is_empty() {
            text.push_str(ending);
        }
        if self.has_mark {
            text.insert(0, '\u{feff}');
        }
        text
    }
}

/// A change of lines.
#[derive(Debug, Clone)]
enum Edit {
    Delete {
        at: usize,
        count: usize,
    },
    Insert {
        at: usize,
        lines: Vec<String>,
    },
    Copy {
        from: usize,
        count: usize,
        to: usize,
    },
    Replace {
        at: usize,
        line: String,
    },
    Indent {
        at: usize,
        count: usize,
    },
}

impl Edit {
    fn make(&self, lines: &mut Vec<String>) {
        let place = |at: usize, lines: &[String]| at % (lines.len() + 1);
        let range = |at: usize, count: usize, lines: &[String]| {
            let start = place(at, lines);
            start..(start + count).min(lines.len())
        };
        match self {
            Self::Delete { at, count } => drop(lines.drain(range(*at, *count, lines))),
            Self::Insert { at, lines: new } => {
                let at = place(*at, lines);
                lines.splice(at..at, new.iter().cloned());
            }
            Self::Copy { from, count, to } => {
                let copy = lines[range(*from, *count, lines)].to_vec();
                let to = place(*to, lines);
                lines.splice(to..to, copy);
            }
            Self::Replace { at, line } => {
                if !lines.is_empty() {
                    let at = at % lines.len();
                    lines[at].clone_from(line);
                }
            }
            Self::Indent { at, count } => {
                let range = range(*at, *count, lines);
                lines[range]
                    .iter_mut()
                    .for_each(|line| line.insert_str(0, "    "));
            }
        }
    }
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ ]{0,8}[a-z_(){};=+-]{0,20}",
        1 => Just(String::new()),
        1 => "\t{0,3}\\PC{0,12}",
        1 => "[一-龥，。—“”]{1,12}",
        1 => prop::sample::select(vec!["}", "@@", "--- a/x", "+++ b/x", "*** End Patch", "\\ No", "```"])
            .prop_map(str::to_owned),
    ]
    // A byte order mark or carriage return at an end is not told apart from that of the text.
    .prop_map(|line| line.replace(['\r', '\u{feff}'], ""))
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = || 0_usize..100_000;
    prop_oneof![
        (at(), 1_usize..12).prop_map(|(at, count)| Edit::Delete { at, count }),
        (at(), prop::collection::vec(line(), 1..6))
            .prop_map(|(at, lines)| Edit::Insert { at, lines }),
        (at(), 1_usize..10, at()).prop_map(|(from, count, to)| Edit::Copy { from, count, to }),
        (at(), line()).prop_map(|(at, line)| Edit::Replace { at, line }),
        (at(), 1_usize..8).prop_map(|(at, count)| Edit::Indent { at, count }),
    ]
}

/// An old text and a new one.
#[derive(Debug, Clone)]
struct Case {
    old: String,
    new: String,
}

fn case() -> impl Strategy<Value = Case> {
    let part = (0..TEXTS.len(), 0_usize..100_000, 0_usize..500);
    let spelling = (any::<bool>(), prop::bool::weighted(0.1));
    let newlines = (prop::bool::weighted(0.8), prop::bool::weighted(0.8));
    let edits = prop::collection::vec(edit(), 1..7);
    (part, spelling, newlines, edits).prop_map(|(part, spelling, newlines, edits)| {
        let (text, at, count) = part;
        let total = TEXTS[text].lines().count();
        let part = TEXTS[text].lines().skip(at % (total + 1)).take(count);
        let lines: Vec<String> = part.map(str::to_owned).collect();
        let mut edited = lines.clone();
        for edit in &edits {
            edit.make(&mut edited);
        }
        let (has_crlf, has_mark) = spelling;
        // A text without any line end does not say which it would have.
        let has_crlf = has_crlf && (lines.len() > 1 || (lines.len() == 1 && newlines.0));
        let spelling = Spelling { has_crlf, has_mark };
        Case {
            old: spelling.write(&lines, newlines.0),
            new: spelling.write(&edited, newlines.1),
        }
    })
}

fn changed(case: &Case) -> Option<FileChange> {
    (case.old != case.new).then(|| FileChange::of(PATH, Some(&case.old), Some(&case.new)))
}

/// Makes a patch, and applies it to the old text.
fn check_round_trip(case: &Case) -> Result<(), TestCaseError> {
    let Some(change) = changed(case) else {
        return Ok(());
    };
    for format in FORMATS {
        let patch = write(format, std::slice::from_ref(&change));
        let patch = patch.map_err(|_| TestCaseError::fail(format!("{format:?}: not written")))?;
        let old = files(&[[PATH, &case.old]]);
        let applied =
            applied(&patch, &old).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&applied.changes, std::slice::from_ref(&change));
        prop_assert_eq!(&applied.repairs, &[], "{}", patch);
        let new = after(&old, &applied.changes);
        prop_assert_eq!(&new[PATH], &case.new);
        prop_assert_eq!(after(&new, &applied.inverse()), old);
    }
    Ok(())
}

#[test]
fn a_patch_of_two_texts_makes_one_of_the_other() {
    runner()
        .run(&case(), |case| check_round_trip(&case))
        .unwrap();
}

/// What happens to a line of a patch that names old lines.
#[derive(Debug, Clone, Copy)]
enum Damage {
    ChangeLetter,
    Drop,
    Swap,
    Append,
}

/// Damages the old side of a patch: a line of context, or one that is removed.
fn damaged(patch: &str, damage: Damage, which: usize) -> Option<String> {
    let mut lines: Vec<String> = patch.lines().map(str::to_owned).collect();
    let is_old = |line: &String| {
        let is_header = line.starts_with("--- ");
        line.starts_with([' ', '-']) && !is_header && line.chars().any(char::is_alphabetic)
    };
    let old_lines: Vec<usize> = (0..lines.len()).filter(|at| is_old(&lines[*at])).collect();
    let at = *old_lines.get(which.checked_rem(old_lines.len())?)?;
    match damage {
        Damage::ChangeLetter => {
            let letter = lines[at].chars().find(|it| it.is_alphabetic())?;
            let other = if letter == 'q' { "z" } else { "q" };
            lines[at] = lines[at].replacen(letter, other, 1);
        }
        Damage::Append => lines[at].push_str("qz"),
        Damage::Drop => {
            // Without its first or last line a hunk still describes the file.
            let beside = [at.checked_sub(1)?, at + 1];
            if !beside.iter().all(|at| old_lines.contains(at)) {
                return None;
            }
            lines.remove(at);
        }
        Damage::Swap => {
            let next = at + 1;
            let is_pair = lines.get(next).is_some_and(is_old) && lines[at] != lines[next];
            if !is_pair {
                return None;
            }
            lines.swap(at, next);
        }
    }
    Some(lines.join("\n"))
}

/// A patch whose old side no longer describes the file is refused. It may be applied only if its old side
/// still is in the file in one place: then what it says is what happens.
#[test]
fn a_damaged_patch_changes_nothing() {
    let damage = prop::sample::select(vec![
        Damage::ChangeLetter,
        Damage::Drop,
        Damage::Swap,
        Damage::Append,
    ]);
    let mut runner = runner();
    let (refused, tried) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let all = (case(), damage, 0_usize..10_000);
    let result = runner.run(&all, |(case, damage, which)| {
        let Some(change) = changed(&case) else {
            return Ok(());
        };
        for format in FORMATS {
            let Ok(patch) = write(format, std::slice::from_ref(&change)) else {
                return Err(TestCaseError::fail(format!("{format:?}: not written")));
            };
            let Some(damaged) = damaged(&patch, damage, which) else {
                continue;
            };
            let old = files(&[[PATH, &case.old]]);
            tried.set(tried.get() + 1);
            let Ok(patch) = parse(&damaged) else {
                refused.set(refused.get() + 1);
                continue;
            };
            let result = apply(&patch, &old);
            refused.set(refused.get() + usize::from(result.is_err()));
            // Old lines that are not in the file in this order cannot be applied; the others say truly
            // what becomes of the file.
            if let Ok(applied) = result {
                check_truth(&patch, &old, &applied.changes)?;
            }
        }
        Ok(())
    });
    result.unwrap();
    println!(
        "{} of {} damaged patches were refused",
        refused.get(),
        tried.get()
    );
    assert!(refused.get() * 10 >= tried.get() * 9);
}

/// Every hunk's old lines stand in the old text one below the other, but for spaces and punctuation.
fn check_truth(
    patch: &super::super::Patch,
    old: &BTreeMap<String, String>,
    changes: &[FileChange],
) -> Result<(), TestCaseError> {
    let plain = |text: &str| -> Vec<String> {
        let is_kept = |letter: &char| letter.is_alphanumeric();
        let lines = text
            .lines()
            .map(|line| line.chars().filter(is_kept).collect::<String>());
        lines.filter(|line| !line.is_empty()).collect()
    };
    let there = plain(&old[PATH]);
    prop_assert_eq!(changes.len(), 1);
    for section in &patch.sections {
        let super::super::Action::Update { hunks, .. } = &section.action else {
            continue;
        };
        for hunk in hunks {
            let wanted: Vec<&str> = hunk.old_lines().map(|line| line.text.as_str()).collect();
            let wanted = plain(&wanted.join("\n"));
            let is_there = wanted.is_empty()
                || there
                    .windows(wanted.len())
                    .any(|lines| lines == wanted.as_slice());
            prop_assert!(is_there, "{wanted:?}");
        }
    }
    Ok(())
}

/// Without lines that tell two places apart a patch is refused, and nothing is chosen.
#[test]
fn ambiguous_context_is_refused() {
    let block = prop::collection::vec("[a-z]{1,6}", 1..5);
    let all = (block, 2_usize..5, 0_usize..5, "[A-Z]{1,5}");
    let result = runner().run(&all, |(block, times, at, added)| {
        let at = at % block.len();
        let separated = format!("{}\n--\n", block.join("\n"));
        let old = files(&[[PATH, &separated.repeat(times)]]);
        let line = &block[at];
        let lines: String = block
            .iter()
            .map(|line| format!(" {line}\n"))
            .collect::<Vec<_>>()
            .concat();
        let lines = lines.replacen(&format!(" {line}\n"), &format!("-{line}\n+{added}\n"), 1);
        for header in ["@@", "@@ -1,9 +1,9 @@", "@@ -900 +900 @@"] {
            for patch in [
                format!("*** Begin Patch\n*** Update File: {PATH}\n{header}\n{lines}*** End Patch"),
                format!("--- a/{PATH}\n+++ b/{PATH}\n{header}\n{lines}"),
            ] {
                let error = applied(&patch, &old).unwrap_err().to_string();
                prop_assert!(error.contains("its lines are in the file"), "{}", error);
            }
        }
        Ok(())
    });
    result.unwrap();
}

/// Lines that no hunk names keep their line ends, whatever those are.
#[test]
fn mixed_line_ends_stay_outside_of_hunks() {
    let lines = prop::collection::vec(("[a-z]{1,8}", any::<bool>()), 1..60);
    let result = runner().run(&(lines, 0_usize..60), |(lines, at)| {
        let at = at % lines.len();
        let ended = |(number, (line, is_crlf)): (usize, &(String, bool))| {
            let ending = if *is_crlf { "\r\n" } else { "\n" };
            format!("{number}{line}{ending}")
        };
        let texts: Vec<String> = lines.iter().enumerate().map(ended).collect();
        let old = texts.concat();
        let removed = texts[at].trim_end();
        let patch = format!("*** Update File: {PATH}\n@@\n-{removed}\n+one\n+two\n");
        let new = applied(&patch, &files(&[[PATH, &old]])).unwrap();
        let mut expected = texts.clone();
        let ending = texts[at].trim_start_matches(removed);
        expected[at] = format!("one{ending}two{ending}");
        prop_assert_eq!(new.changes[0].new_text(), expected.concat());
        Ok(())
    });
    result.unwrap();
}

#[test]
fn files_are_added_deleted_and_moved() {
    for format in FORMATS {
        let changes = [
            FileChange::of("a/neu.txt", None, Some("eins\n\nzwei")),
            FileChange::of("a/leer.txt", None, Some("")),
            FileChange::of("b/weg.txt", Some("eins\n"), None),
            FileChange::of("b/weg leer.txt", Some(""), None),
            FileChange {
                path: "文件/新.txt".to_owned(),
                moved_from: Some("文件/旧.txt".to_owned()),
                before: Some("一\n二\n".to_owned()),
                after: Some("一\n三\n".to_owned()),
            },
            FileChange {
                path: "z/new".to_owned(),
                moved_from: Some("z/old".to_owned()),
                before: Some("same\n".to_owned()),
                after: Some("same\n".to_owned()),
            },
        ];
        let patch = write(format, &changes).unwrap();
        let before = changes.iter().filter_map(|change| {
            let path = change.moved_from.as_ref().unwrap_or(&change.path);
            Some((path.clone(), change.before.clone()?))
        });
        let before: BTreeMap<String, String> = before.collect();
        let applied = applied(&patch, &before).unwrap();
        let new = after(&before, &applied.changes);
        assert_eq!(new.len(), 4, "{patch}");
        assert_eq!(new["文件/新.txt"], "一\n三\n");
        assert_eq!(after(&new, &applied.inverse()), before);
    }
}

fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "*** Begin Patch",
            "*** End Patch",
            "*** Add File: a",
            "*** Delete File: a",
            "*** Update File: a",
            "*** Update File: ../b",
            "*** Move to: c",
            "*** End of File",
            "*** Odd",
            "@@",
            "@@ fn a() {",
            "@@ -1,3 +1,4 @@ x",
            "@@ -0,0 +1 @@",
            "@@ -1,99999999 +1 @@",
            "--- a/a",
            "+++ b/a",
            "--- /dev/null",
            "+++ /dev/null",
            "diff --git a/a b/a",
            "diff --git \"a/\\344\" \"b/\\344\"",
            "new file mode 100644",
            "deleted file mode 100644",
            "rename from a",
            "rename to c",
            "similarity index 9%",
            "\\ No newline at end of file",
            "```diff",
            "```",
            "~~~",
            "apply_patch <<'EOF'",
            "EOF",
            "-one",
            "+two",
            " one",
            "one",
            "",
            " ",
            "    three",
            "-",
            "+",
            "-- ",
            "2.43.0",
            "\\",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,12}",
        "[ \t+\\-@*\\\\\r一—“]{0,6}",
    ]
}

proptest! {
    #![proptest_config(Config { cases: cases(), failure_persistence: None, ..Config::default() })]

    #[test]
    fn nothing_that_is_read_causes_a_panic(
        lines in prop::collection::vec(fragment(), 0..24),
        separator in prop::sample::select(vec!["\n", "\r\n", "\\n"]),
        text in "(one\n|two\r\n|  one|three\n|\t){0,8}",
    ) {
        let patch = lines.join(separator);
        let old = files(&[["a", &text]]);
        match applied(&patch, &old) {
            Ok(applied) => {
                let new = after(&old, &applied.changes);
                prop_assert_ne!(&new, &old);
                prop_assert_eq!(after(&new, &applied.inverse()), old);
            }
            Err(error) => prop_assert!(error.to_string().len() < 8_000),
        }
    }

    #[test]
    fn any_characters_are_read_without_a_panic(text in any::<String>()) {
        let _ = parse(&text);
        let _ = parse(&format!("*** Update File: a\n{text}"));
        let _ = parse(&format!("--- a\n+++ a\n@@ -1 +1 @@\n{text}"));
    }
}
