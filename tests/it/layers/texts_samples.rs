//! Texts that break a rule each, and what is said of them.

use super::texts::{File, breaches, uses};

const CODE: &str = r#"
    fn said() {
        text!(language, "a-ready");
        vec![Some(text!(language, "a-plain", name, count = names.len()))];
    }
    texts! {
        /// Declared.
        declared(path) "a-declared"
    }
    situations! { pub Why { Never "a-never" Later(day: String) "a-later" } }
"#;

const TEXTS: &str = "\
a-ready = Ready.
a-plain = { $count ->
    [one] { $name }
   *[other] { $name } and others
}
a-declared = { $path }
a-never = Never.
a-later = { $day }
";

fn file(language: &str, text: &str) -> File {
    File {
        language: language.to_owned(),
        area: "a".to_owned(),
        text: text.to_owned(),
    }
}

#[track_caller]
fn check(code: &str, chinese: &str, expected: &[&str]) {
    let english = file("en", TEXTS);
    let chinese = file("zh-CN", chinese);
    assert_eq!(breaches(&[english, chinese], &uses("b.rs", code)), expected);
}

#[test]
fn texts_that_keep_the_rules_are_passed() {
    check(CODE, TEXTS, &[]);
    let unneeded = "# Leaves out $count: there is no plural.\na-plain = { $name }";
    check(CODE, &format!("{}{unneeded}\n", without("a-plain")), &[]);
}

/// Returns the texts but one.
fn without(key: &str) -> String {
    let start = TEXTS.find(key).unwrap();
    let rest = &TEXTS[start..];
    let end = rest.find("\na-").map_or(rest.len(), |end| end + 1);
    format!("{}{}", &TEXTS[..start], &rest[end..])
}

#[test]
fn a_key_that_a_language_lacks_is_found() {
    check(
        CODE,
        &without("a-never"),
        &["b.rs: `a-never` is not in zh-CN"],
    );
    check(
        CODE,
        &without("a-declared"),
        &["b.rs: `a-declared` is not in zh-CN"],
    );
    let misspelt = CODE.replace("a-ready", "a-redy");
    check(
        &misspelt,
        TEXTS,
        &[
            "b.rs: `a-redy` is not in en",
            "en: `a-ready` is not used",
            "b.rs: `a-redy` is not in zh-CN",
            "zh-CN: `a-ready` is not used",
        ],
    );
}

#[test]
fn a_key_that_is_there_in_vain_is_found() {
    let more = format!("{TEXTS}a-more = More.\n");
    check(CODE, &more, &["zh-CN: `a-more` is not used"]);
}

#[test]
fn a_key_that_is_there_twice_or_in_another_file_is_found() {
    let twice = format!("{TEXTS}a-ready = Again.\n");
    check(CODE, &twice, &["zh-CN/a.ftl: `a-ready` is there twice"]);
    let moved = TEXTS.replace("a-ready", "b-ready");
    let code = CODE.replace("a-ready", "b-ready");
    let found = breaches(&[file("en", &moved)], &uses("b.rs", &code));
    assert_eq!(
        found,
        ["en/a.ftl: `b-ready` does not begin with the name of the file"]
    );
}

#[test]
fn an_argument_that_is_missing_or_left_over_is_found() {
    let fewer = CODE.replace("name, count = names.len()", "name");
    check(
        &fewer,
        TEXTS,
        &[
            "en: `a-plain` takes `$count`, which b.rs does not pass",
            "zh-CN: `a-plain` takes `$count`, which b.rs does not pass",
        ],
    );
    let ignored = TEXTS.replace("{ $day }", "Later.");
    let expected = "zh-CN: `a-later` does not take `$day`, and no comment says why";
    check(CODE, &ignored, &[expected]);
    let misspelt = TEXTS.replace("{ $path }", "{ $pat }");
    check(
        CODE,
        &misspelt,
        &[
            "zh-CN: `a-declared` takes `$pat`, which b.rs does not pass",
            "zh-CN: `a-declared` does not take `$path`, and no comment says why",
        ],
    );
    let untrue = TEXTS.replace("a-later", "# Leaves out $day.\na-later");
    let expected = "zh-CN: `a-later` takes `$day`, and a comment says that it does not";
    check(CODE, &untrue, &[expected]);
}

#[test]
fn a_key_that_cannot_be_read_is_found() {
    let computed = CODE.replace("\"a-ready\"", "key");
    check(
        &computed,
        TEXTS,
        &[
            "b.rs: a key is no literal",
            "en: `a-ready` is not used",
            "zh-CN: `a-ready` is not used",
        ],
    );
    let elsewhere = format!("{CODE} fn more() {{ text!(language, \"a-later\", time) }}");
    check(
        &elsewhere,
        TEXTS,
        &["b.rs: `a-later` is passed other arguments elsewhere"],
    );
    let broken = format!("{TEXTS}a-broken = {{ $\n");
    let english = file("en", &broken);
    assert_eq!(breaches(&[english], &uses("b.rs", CODE)).len(), 1);
}
