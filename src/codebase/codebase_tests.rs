//! Tests of a code base as a whole: following files, searching, and bytes.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};

use super::Codebase;
use crate::index::{Embedding, NotStored, Query};
use crate::source::LeftOut;
use crate::{Limits, Look, Refresh};

/// A folder of files, and a time long after its changes.
struct Folder {
    root: tempfile::TempDir,
    codebase: Codebase,
}

impl Folder {
    fn new(files: &[[&str; 2]]) -> Self {
        let folder = Self {
            root: tempfile::tempdir().unwrap(),
            codebase: Codebase::default(),
        };
        for [path, text] in files {
            folder.write(path, text);
        }
        folder
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn refresh(&mut self, files: &[&str]) -> Refresh {
        let now = SystemTime::now() + Duration::from_mins(1);
        let files = files.iter().copied();
        self.codebase.refresh(self.root.path(), files, now).unwrap()
    }
}

fn found(codebase: &Codebase, text: &str) -> Vec<String> {
    let query = Query {
        text,
        embedding: None,
        limit: 5,
    };
    let hits = codebase.search(&query).into_iter();
    hits.map(|hit| format!("{}:{}-{}", hit.path, hit.lines.first, hit.lines.last))
        .collect()
}

#[test]
fn words_of_no_file_are_forgotten() {
    let mut folder = Folder::new(&[["a.py", "def alpha():\n    pass\n"]]);
    folder.refresh(&["a.py"]);
    let mut most = 0;
    for round in 0..8 {
        let names = (0..200).map(|name| format!("def q{round}x{name}z():\n    pass\n"));
        folder.write("data.py", &names.collect::<String>());
        folder.refresh(&["a.py", "data.py"]);
        most = most.max(folder.codebase.index.word_count());
    }
    let first = Codebase::from_bytes(&folder.codebase.to_bytes()).unwrap();
    assert!(most < 4 * 200 * 3, "{most}");
    folder.write("data.py", "def beta():\n    pass\n");
    folder.refresh(&["a.py", "data.py"]);
    assert!(folder.codebase.index.word_count() < 20);
    for codebase in [&folder.codebase, &first] {
        assert_eq!(found(codebase, "alpha"), ["a.py:1-2"]);
    }
    assert_eq!(found(&folder.codebase, "beta"), ["data.py:1-2"]);
    let again = Codebase::from_bytes(&folder.codebase.to_bytes()).unwrap();
    assert_eq!(found(&again, "beta"), ["data.py:1-2"]);
}

#[test]
fn files_are_followed() {
    let mut folder = Folder::new(&[
        ["a.rs", "fn alpha() {}\n"],
        ["b/c.py", "def beta():\n    pass\n"],
    ]);
    let report = folder.refresh(&["a.rs", "b/c.py", "gone.rs"]);
    let left_out = BTreeMap::from([(LeftOut::Unreadable, 1)]);
    let wanted = Refresh {
        changed: 2,
        left_out,
        ..Refresh::default()
    };
    assert_eq!(report, wanted);
    assert_eq!(found(&folder.codebase, "alpha"), ["a.rs:1-1"]);
    folder.write("a.rs", "fn gamma() {}\nfn more() {}\n");
    let report = folder.refresh(&["a.rs", "b/c.py"]);
    assert_eq!((report.changed, report.same, report.removed), (1, 1, 0));
    assert!(found(&folder.codebase, "alpha").is_empty());
    assert_eq!(found(&folder.codebase, "gamma"), ["a.rs:1-2"]);
    let report = folder.refresh(&["a.rs"]);
    assert_eq!((report.changed, report.same, report.removed), (0, 1, 1));
    assert!(found(&folder.codebase, "beta").is_empty());
}

#[test]
fn a_file_that_vanishes_is_forgotten_and_a_root_that_vanishes_is_not() {
    let mut folder = Folder::new(&[["a.rs", "fn alpha() {}\n"]]);
    folder.refresh(&["a.rs"]);
    fs::remove_file(folder.path("a.rs")).unwrap();
    let report = folder.refresh(&["a.rs"]);
    assert_eq!((report.removed, folder.codebase.len()), (1, 0));
    folder.write("a.rs", "fn alpha() {}\n");
    folder.refresh(&["a.rs"]);
    let gone = folder.root.path().join("gone");
    let now = SystemTime::now();
    assert!(folder.codebase.refresh(&gone, ["a.rs"], now).is_err());
    assert_eq!(folder.codebase.len(), 1);
}

#[test]
fn a_root_that_vanishes_during_a_look_is_not_forgotten() {
    let mut folder = Folder::new(&[["a.rs", "fn alpha() {}\n"], ["b.rs", "fn beta() {}\n"]]);
    folder.refresh(&["a.rs", "b.rs"]);
    let root = folder.root.path().to_owned();
    let codebase = &mut folder.codebase;
    let mut look = Look::begin(&root, SystemTime::now(), Limits::default()).unwrap();
    let seen = look.read("a.rs", codebase.known("a.rs"));
    codebase.apply(&mut look, seen);
    fs::remove_dir_all(&root).unwrap();
    let seen = look.read("b.rs", codebase.known("b.rs"));
    codebase.apply(&mut look, seen);
    assert!(codebase.finish(look).is_err());
    assert_eq!(codebase.len(), 2);
    assert_eq!(found(codebase, "beta"), ["b.rs:1-1"]);
}

#[test]
fn no_more_is_read_than_the_limits_say() {
    let texts = ["fn alpha() {}\n", "fn beta() {}\n", "fn gamma() {}\n"];
    let folder = Folder::new(&[["a.rs", texts[0]], ["b.rs", texts[1]], ["c.rs", texts[2]]]);
    let limited = |limits: Limits| {
        let mut codebase = Codebase::default();
        let mut look = Look::begin(folder.root.path(), SystemTime::now(), limits).unwrap();
        for path in ["a.rs", "a.rs", "b.rs", "c.rs"] {
            let seen = look.read(path, codebase.known(path));
            codebase.apply(&mut look, seen);
        }
        let report = codebase.finish(look).unwrap();
        (
            codebase.len(),
            report.left_out.get(&LeftOut::TooMany).copied(),
        )
    };
    let all = Limits::default();
    assert_eq!(limited(all), (3, None));
    assert_eq!(limited(Limits { files: 2, ..all }), (2, Some(1)));
    assert_eq!(limited(Limits { bytes: 10, ..all }), (1, Some(2)));
}

#[test]
fn a_touched_file_is_not_read_as_another() {
    let mut folder = Folder::new(&[["a.rs", "fn alpha() {}\n"]]);
    folder.refresh(&["a.rs"]);
    folder.write("a.rs", "fn alpha() {}\n");
    let report = folder.refresh(&["a.rs"]);
    assert_eq!((report.changed, report.same), (0, 1));
}

#[test]
fn a_hit_says_where_it_is() {
    let mut codebase = Codebase::default();
    let body = "    let x = 1;\n".repeat(40);
    let text = format!(
        "impl Login {{\n    fn check_password() {{\n{body}    }}\n\n    fn other() {{\n{body}    }}\n}}\n"
    );
    codebase.put("src/login.rs", text.as_bytes()).unwrap();
    codebase.put("src/mail.rs", b"fn send() {}\n").unwrap();
    let query = Query {
        text: "where is the password checked?",
        embedding: None,
        limit: 1,
    };
    let hits = codebase.search(&query);
    let hit = hits.first().unwrap();
    assert_eq!(
        (hit.path, hit.lines.first, hit.lines.last),
        ("src/login.rs", 1, 44)
    );
    assert_eq!(hit.scope, ["check_password"]);
    // A path is enough to be found.
    assert_eq!(found(&codebase, "mail"), ["src/mail.rs:1-1"]);
}

#[test]
fn chinese_is_found() {
    let mut codebase = Codebase::default();
    codebase
        .put("a.py", "# 修复登录失败的问题\nx = 1\n".as_bytes())
        .unwrap();
    codebase
        .put("b.py", "# 发送邮件\ny = 2\n".as_bytes())
        .unwrap();
    assert_eq!(found(&codebase, "登录为什么失败"), ["a.py:1-2"]);
}

#[test]
fn vectors_find_what_words_do_not() {
    let mut codebase = Codebase::default();
    codebase.put("a.rs", b"fn car() {}\n").unwrap();
    codebase.put("b.rs", b"fn automobile() {}\n").unwrap();
    codebase.put("c.rs", b"fn tree() {}\n").unwrap();
    let vectors: HashMap<_, _> = codebase
        .chunks()
        .map(|chunk| {
            let is_tree = chunk.path == "c.rs";
            (
                chunk.key,
                if is_tree {
                    vec![0.0, 1.0]
                } else {
                    vec![1.0, 0.1]
                },
            )
        })
        .collect();
    let query = Query {
        text: "car",
        embedding: Some(Embedding {
            query: &[1.0, 0.0],
            vectors: &vectors,
        }),
        limit: 5,
    };
    let hits = codebase.search(&query);
    let paths: Vec<&str> = hits.iter().map(|hit| hit.path).collect();
    assert_eq!(paths, ["a.rs", "b.rs", "c.rs"]);
    // Without vectors for any chunk the words alone decide.
    let none = HashMap::new();
    let query = Query {
        embedding: Some(Embedding {
            query: &[1.0, 0.0],
            vectors: &none,
        }),
        ..query
    };
    assert_eq!(codebase.search(&query).len(), 1);
}

#[test]
fn the_same_chunk_keeps_its_key() {
    let mut codebase = Codebase::default();
    codebase.put("a.rs", b"fn one() {}\n").unwrap();
    let key = codebase.chunks().next().unwrap().key;
    codebase.put("a.rs", b"fn two() {}\n").unwrap();
    assert_ne!(codebase.chunks().next().unwrap().key, key);
    codebase.put("a.rs", b"fn one() {}\n").unwrap();
    assert_eq!(codebase.chunks().next().unwrap().key, key);
}

#[test]
fn other_bytes_are_refused() {
    assert_eq!(Codebase::from_bytes(b"").err(), Some(NotStored::Version));
    assert_eq!(
        Codebase::from_bytes(b"codebas0").err(),
        Some(NotStored::Version)
    );
    let mut codebase = Codebase::default();
    codebase.put("a.rs", b"fn one() {}\n").unwrap();
    let bytes = codebase.to_bytes();
    for at in 8..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(
            Codebase::from_bytes(&damaged).err(),
            Some(NotStored::Damaged)
        );
        let cut = &bytes[..at];
        assert_eq!(Codebase::from_bytes(cut).err(), Some(NotStored::Damaged));
    }
}

proptest! {
    #[test]
    fn a_code_base_is_what_its_files_are(
        steps in prop::collection::vec((0_usize..4, "([a-c]{1,3}[_ \n(){}]){0,30}", any::<bool>()), 1..20),
        question in "[a-c]{1,3}( [a-c]{1,3}){0,3}",
    ) {
        let paths = ["a.rs", "b/c.py", "d.md", "e.js"];
        let mut changed = Codebase::default();
        let mut files: BTreeMap<&str, &str> = BTreeMap::new();
        for (path, text, is_there) in &steps {
            let path = paths[*path];
            if *is_there {
                changed.put(path, text.as_bytes()).unwrap();
                files.insert(path, text);
            } else {
                changed.remove(path);
                files.remove(path);
            }
        }
        let mut fresh = Codebase::default();
        for (path, text) in &files {
            fresh.put(path, text.as_bytes()).unwrap();
        }
        let query = Query { text: &question, embedding: None, limit: 10 };
        prop_assert_eq!(changed.search(&query), fresh.search(&query));
        prop_assert_eq!(changed.rank_files(&question), fresh.rank_files(&question));
        let stored = Codebase::from_bytes(&changed.to_bytes()).unwrap();
        prop_assert_eq!(stored.search(&query), fresh.search(&query));
        prop_assert!(stored.chunks().eq(fresh.chunks()));
        prop_assert_eq!(stored.to_bytes().len(), changed.to_bytes().len());
    }
}
