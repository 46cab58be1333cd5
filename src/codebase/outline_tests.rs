//! Tests of outlines: one small source for each language, and bytes that are none.

use proptest::prelude::{any, prop, prop_assert, proptest};

use super::Outline;
use crate::language::CodeLanguage;
use crate::source::SourceFile;
use crate::syntax::parse;

/// A source and what is found in it.
struct Case {
    language: CodeLanguage,
    source: &'static str,
    /// Names with their lines.
    defined: &'static str,
    /// Some of the names that are referred to.
    referred: &'static [&'static str],
}

const CASES: [Case; 13] = [
    Case {
        language: CodeLanguage::Bash,
        source: "greet() {\n  echo hi\n}\ngreet\n",
        defined: "",
        referred: &[],
    },
    Case {
        language: CodeLanguage::C,
        source: "struct bag { int n; };\nint fill(struct bag *b) {\n  return count(b);\n}\n",
        defined: "bag 1, fill 2",
        referred: &["bag", "count"],
    },
    Case {
        language: CodeLanguage::CSharp,
        source: "namespace Shop {\n  class Bag : Box {\n    void Fill() { other.Count(); }\n  }\n}\n",
        defined: "Shop 1, Bag 2, Fill 3",
        referred: &["Box", "Count"],
    },
    Case {
        language: CodeLanguage::Cpp,
        source: "class Bag {\npublic:\n  int fill();\n};\nint Bag::fill() { return count(); }\n",
        defined: "Bag 1, fill 3, fill 5",
        referred: &["count"],
    },
    Case {
        language: CodeLanguage::Go,
        source: "package shop\n\ntype Bag struct{}\n\nfunc (b *Bag) Fill() { count(b) }\n\nfunc New() Bag { return Bag{} }\n",
        defined: "Bag 3, Fill 5, New 7",
        referred: &["Bag", "count"],
    },
    Case {
        language: CodeLanguage::Java,
        source: "class Bag extends Box {\n  void fill() { count(); new Item(); }\n}\n",
        defined: "Bag 1, fill 2",
        referred: &["Box", "Item", "count"],
    },
    Case {
        language: CodeLanguage::JavaScript,
        source: "class Bag {\n  fill() { count(); }\n}\nconst make = () => new Bag();\nfunction empty() {}\n",
        defined: "Bag 1, fill 2, make 4, empty 5",
        referred: &["Bag", "count"],
    },
    Case {
        language: CodeLanguage::Php,
        source: "<?php\nclass Bag implements Box {\n  function fill() { $this->count(); }\n}\nfunction make() { fill(); }\n",
        defined: "Bag 2, fill 3, make 5",
        referred: &["Box", "count"],
    },
    Case {
        language: CodeLanguage::Python,
        source: "class Bag(Box):\n    def fill(self):\n        count(self)\n\ndef make():\n    return Bag()\n",
        defined: "Bag 1, fill 2, make 5",
        referred: &["Bag", "count"],
    },
    Case {
        language: CodeLanguage::Ruby,
        source: "module Shop\n  class Bag\n    def fill\n      count(1)\n    end\n  end\nend\n",
        defined: "Shop 1, Bag 2, fill 3",
        referred: &["count"],
    },
    Case {
        language: CodeLanguage::Rust,
        source: "pub struct Bag;\nimpl Bag {\n    fn fill(&self) -> u8 {\n        count(self)\n    }\n}\nmacro_rules! bag { () => {} }\n",
        defined: "Bag 1, fill 3, bag 7",
        referred: &["Bag", "count"],
    },
    Case {
        language: CodeLanguage::Tsx,
        source: "interface Props { n: number }\nexport function Bag(p: Props) {\n  return <Box onClick={() => count(p)} />;\n}\n",
        defined: "Props 1, Bag 2",
        referred: &["count"],
    },
    Case {
        language: CodeLanguage::TypeScript,
        source: "interface Box { n: number }\nabstract class Bag {\n  fill(b: Box): void { count(b); }\n}\n",
        defined: "Box 1, Bag 2, fill 3",
        referred: &["Box", "count"],
    },
];

fn outline(language: CodeLanguage, text: &str) -> Outline {
    let tree = parse(language, text).unwrap();
    Outline::of(language, &tree, text)
}

#[test]
fn every_language_is_outlined() {
    for case in &CASES {
        let outline = outline(case.language, case.source);
        let defined: Vec<String> = outline
            .definitions
            .iter()
            .map(|it| format!("{} {}", it.name, it.line))
            .collect();
        assert_eq!(defined.join(", "), case.defined, "{:?}", case.language);
        let names: Vec<&str> = outline
            .references
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        for referred in case.referred {
            assert!(names.contains(referred), "{:?}: {names:?}", case.language);
        }
    }
    let languages = CASES.map(|case| case.language);
    assert_eq!(languages, CodeLanguage::ALL);
}

#[test]
fn a_signature_has_no_values_and_nothing_hidden() {
    let text = "const make = (key = \"sk-123\") => key;\nfunction f(a) {\n}\n";
    let outline = outline(CodeLanguage::JavaScript, text);
    let signatures: Vec<&str> = outline
        .definitions
        .iter()
        .map(|it| it.signature.as_str())
        .collect();
    assert_eq!(signatures, ["const make", "function f(a)"]);
    let long = format!("fn f({}) {{}}", "x: u8, ".repeat(60));
    let outline = self::outline(CodeLanguage::Rust, &long);
    assert_eq!(
        outline
            .definitions
            .first()
            .unwrap()
            .signature
            .chars()
            .count(),
        103
    );
}

#[test]
fn deep_nesting_is_parsed_within_bounds() {
    let nested = |count: usize| format!("{}{}", "fn a(){\n".repeat(count), "}".repeat(count));
    for (text, defined) in [
        ("(".repeat(50_000), 0),
        ("{".repeat(50_000), 0),
        ("fn a(){".repeat(10_000), 0),
        (nested(3_000), 3_000),
        (nested(12_000), super::MAX_NAMES),
    ] {
        let tree = parse(CodeLanguage::Rust, &text).expect("a tree, with errors or without");
        let outline = Outline::of(CodeLanguage::Rust, &tree, &text);
        assert_eq!(outline.definitions.len(), defined, "{:?}", text.get(..10));
    }
}

#[test]
fn a_run_of_signs_is_no_code() {
    let some = format!("fn a() {{}}\n{}", "(".repeat(super::MAX_SIGNS / 2));
    assert_eq!(outline(CodeLanguage::Rust, &some).definitions.len(), 1);
    let many = format!("fn a() {{}}\n{}", "(\n".repeat(500_000));
    if let Some(tree) = parse(CodeLanguage::Rust, &many) {
        assert_eq!(
            Outline::of(CodeLanguage::Rust, &tree, &many),
            Outline::default()
        );
    }
}

proptest! {
    #[test]
    fn any_bytes_are_outlined_alike_twice(
        bytes in prop::collection::vec(any::<u8>(), 0..2_000),
        language in prop::sample::select(CodeLanguage::ALL.to_vec()),
    ) {
        let Ok(file) = SourceFile::of(&bytes, 0) else {
            return Ok(());
        };
        let one = outline(language, &file.text);
        prop_assert!(one == outline(language, &file.text));
    }

    #[test]
    fn damaged_sources_are_outlined(
        case in 0..CASES.len(),
        cut in 0_usize..200,
        inserted in "[a-z(){}<>\"'#;:\n ]{0,10}",
    ) {
        let case = &CASES[case];
        let at = case.source.floor_char_boundary(cut);
        let (head, tail) = case.source.split_at(at);
        let text = format!("{head}{inserted}{}", tail.get(3..).unwrap_or_default());
        let lines = text.lines().count().max(1) as u32;
        for definition in outline(case.language, &text).definitions {
            prop_assert!(definition.first_line <= definition.line);
            prop_assert!(definition.line <= definition.last_line);
            prop_assert!(definition.last_line <= lines);
        }
    }
}
