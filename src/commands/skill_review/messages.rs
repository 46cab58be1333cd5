//! What is said about skills of somebody else.

use std::fmt::Write as _;

use sayso_channel::{Language, text};
use sayso_core::transcript::first_chars;
use sayso_store::skill_pins::SkillPlace;
use sayso_store::skill_reviews::{ReviewRow, ReviewState, ReviewWish};

use crate::skills::messages::{problem, refusal};
use crate::skills::{Candidate, Flag, Flagged, Problem, Refusal, Review, SkillSource};

/// What a button of the card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Take it.
    Approve,
    /// Leave it.
    Deny,
}

impl Answer {
    /// Returns the choice that the button carries.
    pub fn choice(self) -> &'static str {
        match self {
            Self::Approve => "yes",
            Self::Deny => "no",
        }
    }

    /// Returns the answer that a button gives; `None` when it was forged.
    pub fn parse(choice: &str) -> Option<Self> {
        let mut all = [Self::Approve, Self::Deny].into_iter();
        all.find(|answer| answer.choice() == choice)
    }
}

/// The most of a card, in characters: Discord takes 2000.
const CARD_CHARS: usize = 1900;
/// How many files, hosts and tools a card names, and the most of each name in characters.
const FILES: (usize, usize) = (6, 48);
const HOSTS: (usize, usize) = (6, 40);
const TOOLS: (usize, usize) = (5, 24);
/// The most of a description, in characters.
const DESCRIPTION: usize = 160;
/// The most of a source, in characters.
const SOURCE: usize = 100;

/// Returns a text as code on one line, cut where it is long.
fn code(text: &str, most: usize) -> String {
    let text = text.replace('`', "'").replace('\n', " ");
    match first_chars(&text, most) {
        Some(kept) => format!("`{kept}…`"),
        None => format!("`{text}`"),
    }
}

/// Somebody else than an owner wants or presses.
pub fn owners_only(language: Language) -> String {
    text!(language, "review-owners-only").to_owned()
}

/// The source is longer than any valid one.
pub fn too_long(language: Language) -> String {
    text!(language, "review-too-long").to_owned()
}

/// A skill that was to be removed is neither installed nor approved.
pub fn not_there(name: &str, language: Language) -> String {
    let name = code(name, SOURCE);
    text!(language, "review-not-there", name)
}

/// What is said at once.
pub fn looking(wish: ReviewWish, source: &str, language: Language) -> String {
    let source = code(source, SOURCE);
    match wish {
        ReviewWish::Install | ReviewWish::Pin => {
            text!(language, "review-looking-install-pin", source)
        }
        ReviewWish::Remove => text!(language, "review-looking-remove", source),
    }
}

/// Why a wish is not done.
#[derive(Debug)]
pub enum NotDone {
    /// It cannot be taken.
    Refused(Refusal),
    /// It is as it was approved.
    IsApproved,
}

/// A wish for something that cannot be taken.
pub fn not_taken(why: Refusal) -> NotDone {
    NotDone::Refused(why)
}

/// A wish for what is approved already.
pub fn is_approved() -> NotDone {
    NotDone::IsApproved
}

impl NotDone {
    /// Says it.
    pub fn text(&self, review: &ReviewRow, language: Language) -> String {
        let source = code(&review.source, SOURCE);
        match self {
            Self::Refused(why) => {
                let why = refusal(why, language);
                text!(language, "review-not-done-refused", source, why)
            }
            Self::IsApproved => text!(language, "review-not-done-is-approved", source),
        }
    }
}

/// The card about a skill that is to be installed, for who sits at the terminal.
pub fn to_install(source: &str, candidate: &Candidate, language: Language) -> String {
    asking(ReviewWish::Install, source, candidate, language)
}

/// The card: what it is, what is in it, and what should be looked at.
pub fn asking(wish: ReviewWish, source: &str, candidate: &Candidate, language: Language) -> String {
    let shown = &candidate.review;
    let mut lines = vec![heading(wish, source, candidate, language)];
    if let Some(commit) = &candidate.taken.commit {
        let commit = code(commit, SOURCE);
        lines.push(text!(language, "review-asking-more", commit));
    }
    lines.push(String::new());
    lines.push(code(&shown.description, DESCRIPTION));
    lines.push(files(shown, language));
    lines.extend(names(shown, language));
    lines.extend(same_name(candidate, language));
    for unmet in shown.unmet.iter().take(3) {
        let what = problem(&Problem::Unmet(unmet.clone()), language);
        lines.push(format!("⚠️ {}", code(&what, DESCRIPTION)));
    }
    lines.push(flags(&shown.flags, language));
    lines.push(String::new());
    lines.push(text!(language, "review-asking-all").to_owned());
    let mut text = lines.join("\n");
    if let Some(changes) = shown.changes.as_deref() {
        add_changes(&mut text, changes, language);
    }
    text
}

fn heading(wish: ReviewWish, source: &str, candidate: &Candidate, language: Language) -> String {
    let (name, source) = (&candidate.review.name, code(source, SOURCE));
    let is_known = candidate.review.changes.is_some();
    match (wish, candidate.place) {
        (ReviewWish::Install, _) if is_known => {
            text!(language, "review-heading-install", name, source)
        }
        (ReviewWish::Install, _) => text!(
            language,
            "review-heading-install-for-everybody",
            name,
            source
        ),
        (_, SkillPlace::Installed) => text!(language, "review-heading-installed", name),
        (_, SkillPlace::Workspace(_)) if is_known => {
            text!(language, "review-heading-workspace", name)
        }
        (_, SkillPlace::Workspace(_)) => {
            text!(language, "review-heading-workspace-new", name)
        }
    }
}

fn files(review: &Review, language: Language) -> String {
    let (most, chars) = FILES;
    let shown: Vec<String> = review
        .files
        .iter()
        .take(most)
        .map(|(path, bytes)| format!("{} {bytes} B", code(path, chars)))
        .collect();
    let bytes: u64 = review.files.iter().map(|(_, bytes)| bytes).sum();
    let count = review.files.len();
    let list = listed(shown, count, language);
    text!(language, "review-files", count, bytes, list)
}

/// The lines with declared tools and hosts, where there are some.
fn names(review: &Review, language: Language) -> Vec<String> {
    let named = |names: &[String], (most, chars): (usize, usize), count| {
        let shown = names.iter().take(most).map(|name| code(name, chars));
        listed(shown.collect(), count, language)
    };
    let mut lines = Vec::new();
    if !review.tools.is_empty() {
        let tools = named(&review.tools, TOOLS, review.tools.len());
        lines.push(text!(language, "review-names-tools", tools));
    }
    if !review.hosts.is_empty() {
        let count = review.hosts.len() + review.more_hosts;
        let hosts = named(&review.hosts, HOSTS, count);
        lines.push(text!(language, "review-names-hosts", hosts));
    }
    lines
}

fn listed(mut shown: Vec<String>, count: usize, language: Language) -> String {
    let more = count.saturating_sub(shown.len());
    if more > 0 {
        shown.push(text!(language, "review-listed", more));
    }
    shown.join(", ")
}

fn same_name(candidate: &Candidate, language: Language) -> Option<String> {
    let own = match candidate.place {
        SkillPlace::Installed => SkillSource::Installed,
        SkillPlace::Workspace(_) => SkillSource::Workspace,
    };
    let other = candidate.same_name?;
    Some(if other < own {
        text!(language, "review-same-name-replaces").to_owned()
    } else {
        text!(language, "review-same-name-behind").to_owned()
    })
}

fn flags(flags: &[Flagged], language: Language) -> String {
    if flags.is_empty() {
        return text!(language, "review-flags-none").to_owned();
    }
    let mut text = text!(language, "review-flags-heading").to_owned();
    for flagged in flags {
        let (what, file) = (flag(flagged.flag, language), code(&flagged.file, 40));
        let line = flagged.line;
        let more = match flagged.more {
            0 => String::new(),
            more => text!(language, "review-flags-more", more),
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{}",
            text!(language, "review-flags-one", what, file, line, more)
        );
    }
    text
}

fn flag(flag: Flag, language: Language) -> &'static str {
    match flag {
        Flag::DownloadAndRun => text!(language, "review-flag-download-and-run"),
        Flag::Orders => text!(language, "review-flag-orders"),
        Flag::HiddenText => text!(language, "review-flag-hidden-text"),
        Flag::PasswordArchive => text!(language, "review-flag-password-archive"),
        Flag::Encoded => text!(language, "review-flag-encoded"),
        Flag::Secrets => text!(language, "review-flag-secrets"),
        Flag::Binary => text!(language, "review-flag-binary"),
        Flag::Script => text!(language, "review-flag-script"),
    }
}

/// Adds what changed, as much as there is room for.
fn add_changes(text: &mut String, changes: &str, language: Language) {
    // The fence and the note take room too.
    let room = CARD_CHARS.saturating_sub(text.chars().count() + 80);
    let changes = changes.replace("```", "'''");
    let kept = first_chars(&changes, room).unwrap_or(&changes);
    let left_out = changes.lines().count() - kept.lines().count();
    let note = match left_out {
        0 if kept.len() == changes.len() => String::new(),
        more => text!(language, "review-add-changes-note", more),
    };
    // Writing to a string cannot fail.
    let _ = write!(text, "\n```diff\n{kept}\n```{note}");
}

/// The buttons: yes and no.
pub fn labels(language: Language) -> (&'static str, &'static str) {
    (
        text!(language, "review-approve"),
        text!(language, "review-deny"),
    )
}

/// The notice to the presser.
pub fn pressed(answer: Answer, language: Language) -> String {
    match answer {
        Answer::Approve => text!(language, "review-pressed-approve").to_owned(),
        Answer::Deny => text!(language, "review-pressed-deny").to_owned(),
    }
}

/// What the card reads when the skill is no longer what was approved.
pub fn changed_since(name: &str, language: Language) -> String {
    text!(language, "review-changed-since", name)
}

/// What the card reads when it is over, or what is said where there is none.
pub fn ended(review: &ReviewRow, state: ReviewState, language: Language) -> String {
    let name = match review.name.as_str() {
        "" => code(&review.source, SOURCE),
        name => format!("`{name}`"),
    };
    match (state, review.wish) {
        (ReviewState::Denied, _) => text!(language, "review-ended-denied", name),
        (ReviewState::Expired, _) => text!(language, "review-ended-expired", name),
        (ReviewState::Approved | ReviewState::Placed, _) => {
            text!(language, "review-ended-approved-placed", name)
        }
        (_, ReviewWish::Install) => text!(language, "review-ended-install", name),
        (_, ReviewWish::Pin) => text!(language, "review-ended-pin", name),
        (_, ReviewWish::Remove) => text!(language, "review-ended-remove", name),
    }
}
