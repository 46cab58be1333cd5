//! What is said of skills to who writes them, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::{Language, text};
use sayso_core::visible::visible_line;

use super::content::{BYTES, FILES};
use super::folder::FILE_BYTES;
use super::front_matter::{KEYS, MOST_STEPS, NAME_CHARS};
use super::problem::{Problem, Refusal, Unmet};
use super::requirements::SYSTEMS;

/// How many names of skills are listed.
const SEVERAL: usize = 20;

/// Says what is wrong, and what is allowed.
pub fn problem(problem: &Problem, language: Language) -> String {
    match problem {
        Problem::Unreadable(why) => unreadable(language, why),
        Problem::TooLarge => too_large(language, &FILE_BYTES),
        Problem::NotText => not_text(language),
        Problem::NoFrontMatter => no_front_matter(language),
        Problem::NotClosed => not_closed(language),
        Problem::Yaml(what) => yaml(language, what),
        Problem::Twice(key) => twice(language, key),
        Problem::Missing(key) => missing(language, key),
        Problem::BadName(name) => bad_name(language, name, &NAME_CHARS),
        Problem::AllowedTools => allowed_tools(language),
        Problem::Metadata => metadata(language),
        Problem::OtherLetters { written, name } => other_letters(language, written, name),
        Problem::ListForText(key) => list_for_text(language, key),
        Problem::NameTaken { name, folder } => name_taken(language, name, folder),
        Problem::Hyphens(name) => hyphens(language, name),
        Problem::OtherFolder { name, folder } => other_folder(language, name, folder),
        Problem::TooLong { key, length, limit } => too_long(language, key, length, limit),
        Problem::UnknownSystem(system) => {
            unknown_system(language, system, &listed(&SYSTEMS, language))
        }
        Problem::BadSteps(written) => bad_steps(language, written, &MOST_STEPS),
        Problem::LeadsOut(path) => leads_out(language, path),
        Problem::NoSuchFile(path) => no_such_file(language, path),
        Problem::UnknownKey(key) => unknown_key(language, key, &listed(&KEYS, language)),
        Problem::NestedMetadata(key) => nested_metadata(language, key),
        Problem::NoTrigger(key) => no_trigger(language, key),
        Problem::NoText => no_text(language),
        Problem::LongText(lines) => long_text(language, lines),
        Problem::Unmet(Unmet::Program(name)) => no_program(language, name),
        Problem::Unmet(Unmet::Variable(name)) => no_variable(language, name),
        Problem::Unmet(Unmet::System(names)) => other_system(language, names),
        Problem::NotApproved(file) => not_approved(language, file),
    }
}

/// Says why a third-party skill is not taken.
pub fn refusal(refusal: &Refusal, language: Language) -> String {
    match refusal {
        Refusal::NoSource => no_source(language),
        Refusal::NotHere => not_here(language),
        Refusal::NotFetched(why) => not_fetched(language, why),
        Refusal::NoFormat => no_format(language),
        Refusal::NoSkill => no_skill(language),
        Refusal::Several(names) => {
            let shown: Vec<&str> = names.iter().take(SEVERAL).map(String::as_str).collect();
            several(language, &names.len(), &listed(&shown, language))
        }
        Refusal::Unreadable(why) => not_read(language, why),
        Refusal::NoPlainFile(path) => no_plain_file(language, &visible_line(path)),
        Refusal::LeadsOut(path) => path_leads_out(language, &visible_line(path)),
        Refusal::Twice(path) => file_twice(language, &visible_line(path)),
        Refusal::TooLarge => skill_too_large(language, &BYTES),
        Refusal::TooManyFiles => too_many_files(language, &FILES),
        Refusal::TooDeep => too_deep(language),
        Refusal::Bomb => bomb(language),
        Refusal::Encrypted(path) => encrypted(language, &visible_line(path)),
        Refusal::BrokenArchive(why) => broken_archive(language, why),
        Refusal::VersionControl => version_control(language),
        Refusal::NotKept(why) => not_kept(language, why),
        Refusal::Changed => changed(language),
        Refusal::Skill(finding) => {
            let what = problem(&finding.problem, language);
            in_skill_file(language, &finding.line, &visible_line(&what))
        }
    }
}

fn listed(names: &[&str], language: Language) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(text!(language, "list-names"))
}

/// Declares texts by their situation: one function each, the two languages side by side.
macro_rules! texts {
    ($($name:ident($($argument:ident),*) $key:literal)*) => {$(
        fn $name(language: Language $(, $argument: &dyn Display)*) -> String {
            text!(language, $key $(, $argument = $argument.to_string())*).into()
        }
    )*};
}

texts! {
    unreadable(why) "skills-unreadable"
    too_large(bytes) "skills-too-large"
    not_text() "skills-not-text"
    no_front_matter() "skills-no-front-matter"
    not_closed() "skills-not-closed"
    yaml(what) "skills-yaml"
    twice(key) "skills-twice"
    missing(key) "skills-missing"
    bad_name(name, most) "skills-bad-name"
    other_letters(written, name) "skills-other-letters"
    list_for_text(key) "skills-list-for-text"
    name_taken(name, folder) "skills-name-taken"
    allowed_tools() "skills-allowed-tools"
    metadata() "skills-metadata"
    hyphens(name) "skills-hyphens"
    other_folder(name, folder) "skills-other-folder"
    too_long(key, length, limit) "skills-too-long"
    unknown_system(system, known) "skills-unknown-system"
    bad_steps(written, most) "skills-bad-steps"
    leads_out(path) "skills-leads-out"
    no_such_file(path) "skills-no-such-file"
    unknown_key(key, known) "skills-unknown-key"
    nested_metadata(key) "skills-nested-metadata"
    no_trigger(key) "skills-no-trigger"
    no_text() "skills-no-text"
    long_text(lines) "skills-long-text"
    no_program(name) "skills-no-program"
    no_variable(name) "skills-no-variable"
    other_system(names) "skills-other-system"
    not_approved(file) "skills-not-approved"
    no_source() "skills-no-source"
    not_here() "skills-not-here"
    not_fetched(why) "skills-not-fetched"
    no_format() "skills-no-format"
    no_skill() "skills-no-skill"
    several(count, names) "skills-several"
    not_read(why) "skills-not-read"
    no_plain_file(path) "skills-no-plain-file"
    path_leads_out(path) "skills-path-leads-out"
    file_twice(path) "skills-file-twice"
    skill_too_large(bytes) "skills-skill-too-large"
    too_many_files(files) "skills-too-many-files"
    too_deep() "skills-too-deep"
    bomb() "skills-bomb"
    encrypted(path) "skills-encrypted"
    broken_archive(why) "skills-broken-archive"
    version_control() "skills-version-control"
    not_kept(why) "skills-not-kept"
    changed() "skills-changed"
    in_skill_file(line, what) "skills-in-skill-file"
}
