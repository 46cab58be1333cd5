//! Each rule is shown a file that breaks it: a check that cannot fail is none.

use super::cycles::cycles;
use super::limits;
use super::rules;
use super::source::Source;
use super::texts;
use super::word_list;
use super::words;

const GOOD: &str = "//! Owns a sample.\n\nuse crate::store::Tx;\n";

#[track_caller]
fn check(breaches: &[String], expected: &[&str]) {
    let found: Vec<&str> = breaches.iter().map(String::as_str).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_file_without_a_header_is_found() {
    check(&rules::header(&Source::new("src/bus/mod.rs", GOOD)), &[]);
    let bare = Source::new("src/bus/mod.rs", "use std::fmt;\n");
    check(
        &rules::header(&bare),
        &["src/bus/mod.rs:1: no `//!` line that says what it owns"],
    );
    assert_eq!(
        rules::header(&Source::new("src/bus/a.rs", "//!\n")).len(),
        1
    );
}

#[test]
fn a_long_file_is_found_unless_its_header_says_why() {
    let long = |text: &str| rules::unexplained(&Source::new("src/a/b.rs", text));
    let code = "fn x() {}\n".repeat(600);
    check(
        &long(&format!("//! Owns much.\n{code}")),
        &["src/a/b.rs: 601 lines without tests, 600 are usual, and no `// long: ` says why"],
    );
    check(
        &long(&format!("//! Owns much.\n//! long: a table.\n{code}")),
        &[],
    );
    assert_eq!(long(&format!("//! Owns much.\n//! long:\n{code}")).len(), 1);
    let tested = format!("//! Owns little.\n#[cfg(test)]\nmod tests {{\n{code}}}\n");
    check(&long(&tested), &[]);
}

#[test]
fn a_long_function_is_found_unless_it_says_why() {
    let method = |above: &str, lines: usize| {
        let body = "        work();\n".repeat(lines);
        let text =
            format!("impl X {{\n{above}    pub async fn long<T>(\n    ) {{\n{body}    }}\n}}\n");
        Source::new("src/a/b.rs", &text)
    };
    check(
        &rules::unexplained(&method("", 59)),
        &["src/a/b.rs: `long` has 62 lines, 60 are usual, and no `// long: ` says why"],
    );
    check(&rules::unexplained(&method("", 57)), &[]);
    let reason = "    // long: one list.\n    #[must_use]\n";
    check(&rules::unexplained(&method(reason, 59)), &[]);
    let long = rules::long(&method(reason, 59));
    assert_eq!(long[0].reason.as_deref(), Some("one list."));
    assert_eq!(
        rules::unexplained(&method("    // long: far.\n\n", 59)).len(),
        1
    );
}

/// Shows the limits a file, and what they find in it.
#[track_caller]
fn check_limit(rule: fn(&Source) -> Vec<String>, code: &str, expected: &[&str]) {
    check(&rule(&Source::new("src/a/b.rs", code)), expected);
}

#[test]
fn a_parameter_that_is_a_tuple_is_found() {
    let found = |code: &str, expected: &[&str]| {
        check_limit(limits::tuple_parameters, code, expected);
    };
    let one = ["src/a/b.rs: `f`: a parameter is a tuple"];
    found("fn f((a, b): (&str, u8)) {}", &one);
    found("impl X { async fn f(&self, whose: (A, B)) {} }", &one);
    found("trait X { fn f(&self, whose: Option<(A, B)>); }", &one);
    found("type Whose = (A, B);\nfn f(whose: &Whose) {}", &one);
    found(
        "fn f(pairs: &[(A, B)], all: Vec<(A, B)>) -> (A, B) { todo!() }",
        &[],
    );
    found("fn f() { pairs.map(|(a, b)| a + b); }", &[]);
    found("#[cfg(test)]\nmod tests { fn f(expected: (A, B)) {} }", &[]);
    found("#[test]\nfn t() { fn f(expected: (A, B)) {} }", &[]);
}

#[test]
fn a_run_of_rebindings_is_found() {
    let found = |code: &str, expected: &[&str]| check_limit(limits::rebindings, code, expected);
    let one = ["src/a/b.rs: `f`: `x` is bound anew twice in a row"];
    found("fn f(x: X) { let x = x.one(); let x = x.two(); }", &one);
    found(
        "fn f(x: X) { let x = x.one(); let x: Y = format!(\"{x}\"); }",
        &one,
    );
    found(
        "fn f(x: X) { let x = x.one(); go(); let x = x.two(); }",
        &[],
    );
    found("fn f() { let x = x(); let x = x.two(); }", &[]);
    found("fn f(y: X) { let x = y.one(); let x = x.two(); }", &[]);
}

#[test]
fn a_trait_of_many_methods_is_found() {
    let methods = |count: usize| {
        let methods: Vec<String> = (0..count).map(|at| format!("fn f{at}(&self);")).collect();
        format!("trait X {{ type Y; {} }}", methods.join(" "))
    };
    check_limit(
        limits::large_traits,
        &methods(9),
        &["src/a/b.rs: the trait `X` has 9 methods, 8 at most"],
    );
    check_limit(limits::large_traits, &methods(8), &[]);
}

#[test]
fn an_error_without_a_type_is_found() {
    let text = ["src/a/b.rs: `f`: the error is a `String`"];
    check_limit(
        limits::text_errors,
        "fn f() -> Result<(), String> {}",
        &text,
    );
    check_limit(
        limits::text_errors,
        "fn f() -> Result<String, Refused> {}",
        &[],
    );
    let nested = ["src/a/b.rs: `f`: a result in an option in a result"];
    let code = "fn f() -> io::Result<Option<Result<A, B>>> {}";
    check_limit(limits::nested_results, code, &nested);
    let code = "fn f() -> Result<Option<A>, B> {}";
    check_limit(limits::nested_results, code, &[]);
}

#[test]
fn a_name_of_a_room_above_is_found() {
    let table: [super::Row; 3] = [("low", &[]), ("middle", &["low"]), ("high", &["middle"])];
    let breaches = |path: &str, text: &str| {
        rules::rooms(&Source::new(path, text), &table, &["policy", "redact"])
    };
    check(&breaches("src/middle/mod.rs", "use crate::low::X;\n"), &[]);
    let above = ["src/middle/mod.rs: `middle` may not name `high`"];
    check(
        &breaches("src/middle/mod.rs", "use crate::high::X;\n"),
        &above,
    );
    check(
        &breaches("src/middle/mod.rs", "use crate::{low, high::{X, low}};\n"),
        &above,
    );
    check(
        &breaches("src/middle/mod.rs", "use crate::{\n    high,\n};\n"),
        &above,
    );
    check(
        &breaches("src/middle/mod.rs", "fn f() { crate::high::g() }\n"),
        &above,
    );
    check(
        &breaches("src/middle/mod.rs", "// see crate::high::X\n"),
        &[],
    );
    let crates = [
        ("use sayso_policy::Access;\n", "policy"),
        ("use sayso_core::{Language, redact::Redactor};\n", "redact"),
    ];
    for (text, named) in crates {
        check(
            &breaches("src/middle/mod.rs", text),
            &[&format!(
                "src/middle/mod.rs: `middle` may not name `{named}`"
            )],
        );
    }
    check(
        &breaches("src/middle/a.rs", "use sayso_core::Language;\n"),
        &[],
    );
    check(
        &breaches("src/attic/mod.rs", ""),
        &["src/attic/mod.rs: the room `attic` has no row"],
    );
}

#[test]
fn a_room_is_not_left_through_the_window() {
    let table: [super::Row; 1] = [("low", &[])];
    let breaches = |path: &str, text: &str| {
        rules::rooms(&Source::new(path, text), &table, &["policy", "redact"])
    };
    check(&breaches("src/low/part.rs", "use super::Y;\n"), &[]);
    check(
        &breaches("src/low/part.rs", "use super::super::high::X;\n"),
        &["src/low/part.rs:1: `super` leaves the room"],
    );
    check(
        &breaches("src/low/mod.rs", "use super::high::X;\n"),
        &["src/low/mod.rs:1: `super` leaves the room"],
    );
    let tests = "#[cfg(test)]\nmod tests {\n    use super::X;\n}\n";
    check(&breaches("src/low/mod.rs", tests), &[]);
}

#[test]
fn a_circle_is_found() {
    let circle = |table: &[super::Row]| rules::circle(table, &["redact"]);
    assert_eq!(circle(&[("low", &["redact"]), ("high", &["low"])]), None);
    assert_eq!(
        circle(&[("low", &["high"]), ("high", &["low"])]),
        Some("low")
    );
}

#[test]
fn a_cycle_between_files_is_found() {
    let found = |one: &str, other: &str| {
        let face = "mod one;\nmod other;\npub use one::One;\nuse self::other::{self as second};\n";
        cycles(&[
            Source::new("src/bus/mod.rs", face),
            Source::new("src/bus/one.rs", one),
            Source::new("src/bus/other.rs", other),
        ])
    };
    let cycle = ["src/bus/one.rs -> src/bus/other.rs -> src/bus/one.rs"];
    let plain = "use super::other::Other;\n";
    check(
        &found(plain, "use super::one::{\n    One,\n    two::{A, B},\n};\n"),
        &cycle,
    );
    check(
        &found(plain, "pub(super) use super::One as Renamed;\n"),
        &cycle,
    );
    check(&found(plain, "use crate::{bus::one, redact};\n"), &cycle);
    check(&found(plain, "fn f() -> crate::bus::One {}\n"), &cycle);
    check(
        &found("use super::second::Other;\n", "use super::one;\n"),
        &cycle,
    );
    check(&found("use super::second;\n", "use super::one;\n"), &cycle);
    check(
        &found(
            plain,
            "use super::bus;\n// super::one::One\nuse super::other;\n",
        ),
        &[],
    );
    check(
        &found(
            plain,
            "#[cfg(test)]\nmod tests {\n    use super::super::one::One;\n}\n",
        ),
        &[],
    );
    check(&found(plain, "#[cfg(test)]\nuse super::one::One;\n"), &[]);
}

#[test]
fn a_word_that_belongs_to_others_is_found() {
    let breaches = |path: &str, text: &str| rules::forbidden_words(&Source::new(path, text));
    assert_eq!(
        breaches("src/policy/a.rs", "let now = SystemTime::now();\n").len(),
        1
    );
    assert_eq!(
        breaches("src/policy/a.rs", "async fn decide() {}\n").len(),
        1
    );
    assert_eq!(
        breaches("src/agent/a.rs", "use sayso_channel::{Address, Button};\n").len(),
        2
    );
    assert_eq!(
        breaches("src/agent/a.rs", "let tool = Shell::new();\n").len(),
        1
    );
    assert_eq!(
        breaches("src/intake/a.rs", "use rusqlite::Connection;\n").len(),
        1
    );
    check(
        &breaches("src/agent/a.rs", "let addressed = Addressed;\n"),
        &[],
    );
    check(
        &breaches("src/policy/a.rs", "//! It reads no SystemTime.\n"),
        &[],
    );
    check(
        &breaches("src/store/a.rs", "use rusqlite::Connection;\n"),
        &[],
    );
}

#[test]
fn a_channel_that_knows_the_agent_is_found() {
    let manifest = "[dependencies]\nsayso-channel.workspace = true\nsayso = { path = \"../..\" }\n";
    check(
        &rules::manifest("telegram", manifest),
        &["channels/telegram: [dependencies] names `sayso`"],
    );
    let fakes = "[dependencies]\nsayso-fakes.workspace = true\n";
    assert_eq!(rules::manifest("telegram", fakes).len(), 1);
    let tests = "[dev-dependencies]\nsayso-fakes.workspace = true\n";
    check(&rules::manifest("telegram", tests), &[]);
}

#[test]
fn a_driver_that_runs_calls_by_itself_is_found() {
    let code = "//! Drives.\n\nlet call_context = CallContext {\n    scope,\n};\n";
    check(
        &rules::one_call_path(&Source::new("src/sessions/chain.rs", code)),
        &["src/sessions/chain.rs:3: only `src/executor/call_run.rs` has calls run"],
    );
    let executor = Source::new("src/executor/call_run.rs", code);
    check(&rules::one_call_path(&executor), &[]);
}

#[test]
fn a_second_redeemer_is_found() {
    let code = "//! Says yes.\n\nlet approved = Approved::redeemed(call, digest);\n";
    check(
        &rules::one_redeemer(&Source::new("src/sessions/claim.rs", code)),
        &["src/sessions/claim.rs:3: only `src/approvals/open.rs` redeems an approval"],
    );
    let redeemer = Source::new("src/approvals/open.rs", code);
    check(&rules::one_redeemer(&redeemer), &[]);
}

#[test]
fn a_cycle_in_a_crate_is_found() {
    let face = "//! Faces.\nmod one;\nmod other;\npub use one::One;\n";
    let found = |other: &str| {
        cycles(&[
            Source::new("src/policy/lib.rs", face),
            Source::new("src/policy/one.rs", "use super::other::Other;\n"),
            Source::new("src/policy/other.rs", other),
        ])
    };
    let cycle = ["src/policy/one.rs -> src/policy/other.rs -> src/policy/one.rs"];
    check(&found("use crate::One;\n"), &cycle);
    check(&found("use super::One;\n"), &cycle);
    check(&found("use sayso_core::One;\n"), &[]);
}

#[test]
fn what_a_crate_is_built_with_is_read() {
    let manifest = "[dependencies]\ntokio.workspace = true\n\n[dev-dependencies]\nsayso-policy = \
                    { workspace = true, features = [\"testing\"] }\n";
    let lines: Vec<&str> = rules::dependencies(manifest).collect();
    assert_eq!(lines, ["tokio.workspace = true"]);
    assert_eq!(rules::named(lines[0]), "tokio");
}

#[test]
fn a_second_executor_is_found() {
    let code = "//! Runs.\n\nlet context = ToolContext {\n    scope,\n};\n";
    check(
        &rules::one_executor(&Source::new("src/agent/calls.rs", code)),
        &["src/agent/calls.rs:3: only `src/tools/toolbox.rs` runs a tool"],
    );
    let executor = Source::new("src/tools/toolbox.rs", code);
    check(&rules::one_executor(&executor), &[]);
}

#[test]
fn a_riddle_is_found_where_it_is_read() {
    let text = "//! Nobody waits.\n\nconst TOLD: &str = \"the user was told so\";\n\
                #[cfg(test)]\nmod tests {\n    // whoever\n}\n";
    check(
        &words::riddles_in_code(&Source::new("src/a/b.rs", text)),
        &[
            "src/a/b.rs:1: `nobody` (say what does not happen)",
            "src/a/b.rs:3: `was told` (was informed, was passed)",
        ],
    );
    let chat = Source::new("src/a/messages.rs", text);
    check(&words::riddles_in_code(&chat), &[]);
    let document = "It works as it is.\n```\nnobody\n```\nBusybody.\n";
    check(
        &words::riddles_in_document("A.md", document),
        &["A.md:1: `as it is` (unchanged)"],
    );
}

#[test]
fn another_word_than_that_of_the_list_is_found() {
    let page = "| thing | English | 中文 | not in English | 不用 |\n|---|---|---|---|---|\n\
                | who decides | owner | 管理者 | operator | 管理员, 所有者 |\n";
    let words = word_list::other_words(page);
    assert_eq!(words.len(), 3, "{words:?}");
    let text = "//! Texts.\n// the operator\n\"Ask the operator.\",\n\"请联系管理员。\",\nfn operator_of() {}\n";
    let found = |path: &str| word_list::in_source(&words, &Source::new(path, text));
    check(
        &found("src/a/messages.rs"),
        &[
            "src/a/messages.rs:3: `operator` (owner)",
            "src/a/messages.rs:4: `管理员` (管理者)",
        ],
    );
    check(&found("src/a/other.rs"), &[]);
    check(&found("src/agent/messages.rs"), &[]);
    let file = |area: &str| texts::File {
        language: "en".to_owned(),
        area: area.to_owned(),
        text: format!("# The operator.\n{area}-operator = Ask the operator.\n    operator = 1\n"),
    };
    check(
        &word_list::in_texts(&words, &file("a")),
        &[
            "en/a.ftl:2: `operator` (owner)",
            "en/a.ftl:3: `operator` (owner)",
        ],
    );
    check(&word_list::in_texts(&words, &file("agent")), &[]);
}
