//! What `/autonomy` and `/status` say of the policy and of the sandbox.

use sayso_channel::Language;
use sayso_channel::text;
use sayso_policy::{AutonomyLevel, Deed, Effective, SandboxMode, Treatment};

/// How many programs of a list are named.
const PROGRAMS: usize = 8;

/// What `/autonomy` shows.
pub struct Shown<'a> {
    /// What the policy comes to.
    pub effective: Effective,
    /// Where the level comes from.
    pub why: Why,
    /// How many commands are always allowed to the person here.
    pub grants: usize,
    /// What the kernel enforces, in words.
    pub sandbox: &'a str,
    /// Whether the person may lower the level here.
    pub may_lower: bool,
}

/// Where a level comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// From `agent.autonomy`.
    Configured,
    /// From the person's entry in `access.autonomy`.
    OwnEntry,
    /// An owner lowered it here from this one.
    LoweredHere(AutonomyLevel),
}

/// `/autonomy`: the settings that apply to the user here.
pub fn autonomy(shown: &Shown<'_>, language: Language) -> String {
    let effective = &shown.effective;
    let deeds = [Treatment::Unasked, Treatment::Asked, Treatment::Refused];
    let mut lines = vec![level(effective.level, shown.why, language), String::new()];
    lines.extend(deeds.into_iter().filter_map(|treatment| {
        let done = effective.deeds.iter().filter(|(_, is)| *is == treatment);
        let done: Vec<String> = done.map(|(kind, _)| deed(kind, language)).collect();
        (!done.is_empty()).then(|| treated(treatment, &done, language))
    }));
    if effective.asks_owners {
        lines.push(owners_approve(language));
    }
    lines.extend(besides(shown, language));
    lines.push(network(effective, language));
    lines.push(format!(
        "- {}",
        sandbox(effective.confinement.mode, shown.sandbox, language)
    ));
    if effective.frees_sandboxed {
        lines.push(trade(language));
    }
    if shown.may_lower {
        let hint = text!(language, "commands-effective-autonomy-hint");
        lines.extend([String::new(), hint.to_owned()]);
    }
    lines.join("\n")
}

fn level(level: AutonomyLevel, why: Why, language: Language) -> String {
    let why = match why {
        Why::Configured => text!(language, "commands-effective-level-why-configured").to_owned(),
        Why::OwnEntry => text!(language, "commands-effective-level-why-own-entry").to_owned(),
        Why::LoweredHere(from) => text!(
            language,
            "commands-effective-level-why-lowered-here",
            from = from.as_str()
        ),
    };
    let name = level.as_str();
    text!(language, "commands-effective-level", name, why)
}

fn treated(treatment: Treatment, deeds: &[String], language: Language) -> String {
    match treatment {
        Treatment::Unasked => text!(
            language,
            "commands-effective-treated-unasked",
            deeds = deeds.join(text!(language, "list-names"))
        ),
        Treatment::Asked => text!(
            language,
            "commands-effective-treated-asked",
            deeds = deeds.join(text!(language, "list-names"))
        ),
        Treatment::Refused => text!(
            language,
            "commands-effective-treated-refused",
            deeds = deeds.join(text!(language, "list-names"))
        ),
    }
}

fn deed(deed: &Deed, language: Language) -> String {
    let said = match deed {
        Deed::ReadsFiles => text!(language, "commands-effective-deed-reads-files"),
        Deed::RunsReaders => text!(language, "commands-effective-deed-runs-readers"),
        Deed::WritesFiles => text!(language, "commands-effective-deed-writes-files"),
        Deed::RunsCommands => text!(language, "commands-effective-deed-runs-commands"),
        Deed::Deletes => text!(language, "commands-effective-deed-deletes"),
        Deed::UsesNetwork => text!(language, "commands-effective-deed-uses-network"),
        Deed::LeavesWorkspace => text!(language, "commands-effective-deed-leaves-workspace"),
        Deed::RunsPrograms(programs) => return listed(programs, language),
        Deed::RunsOthers => text!(language, "commands-effective-deed-runs-others"),
        Deed::FetchesPages => text!(language, "commands-effective-deed-fetches-pages"),
        Deed::SendsRequests => text!(language, "commands-effective-deed-sends-requests"),
        Deed::OpensSecrets => text!(language, "commands-effective-deed-opens-secrets"),
        Deed::Destroys => text!(language, "commands-effective-deed-destroys"),
    };
    said.to_owned()
}

fn listed(programs: &[String], language: Language) -> String {
    let named: Vec<String> = programs
        .iter()
        .take(PROGRAMS)
        .map(|program| format!("`{program}`"))
        .collect();
    let more = programs.len() - named.len();
    match more {
        0 => text!(
            language,
            "commands-effective-listed",
            named = named.join(" ")
        ),
        _ => text!(
            language,
            "commands-effective-listed-more",
            named = named.join(" "),
            more
        ),
    }
}

/// The line for members about calls that only an owner may approve.
fn owners_approve(language: Language) -> String {
    text!(language, "commands-effective-owners-approve").to_owned()
}

/// What speaks of single commands and hosts, and when all of it asks.
fn besides(shown: &Shown<'_>, language: Language) -> Option<String> {
    let counted: Vec<String> = [
        (shown.effective.rules, "policy.rules"),
        (shown.effective.hosts, "policy.allow_hosts"),
        (shown.grants, "/grants"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, place)| text!(language, "commands-effective-besides-counted", count, place))
    .collect();
    let beside = (!counted.is_empty()).then(|| {
        text!(
            language,
            "commands-effective-besides-beside",
            counted = counted.join(text!(language, "list-names"))
        )
    });
    let taint = shown
        .effective
        .outside_text_asks
        .then(|| text!(language, "commands-effective-besides-taint").to_owned());
    let lines: Vec<String> = beside.into_iter().chain(taint).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn network(effective: &Effective, language: Language) -> String {
    let is_kept_away = effective.confinement.is_whole();
    let said = match (effective.network, is_kept_away) {
        (Treatment::Refused, true) => text!(language, "commands-effective-network-refused"),
        (Treatment::Asked, true) => text!(language, "commands-effective-network-asked"),
        (Treatment::Unasked, _) => text!(language, "commands-effective-network-unasked"),
        (Treatment::Refused | Treatment::Asked, false) => {
            text!(language, "commands-effective-network-refused-asked")
        }
    };
    text!(language, "commands-effective-network", said)
}

/// What is demanded of the sandbox, and what the kernel enforces.
pub fn sandbox(mode: SandboxMode, found: &str, language: Language) -> String {
    let mode = match mode {
        SandboxMode::Off => return text!(language, "commands-effective-sandbox-off").to_owned(),
        SandboxMode::Require => "require",
        SandboxMode::Prefer => "prefer",
    };
    text!(language, "commands-effective-sandbox", mode, found)
}

/// What `policy.sandboxed_commands = "allow"` gives and takes.
fn trade(language: Language) -> String {
    text!(language, "commands-effective-trade").to_owned()
}
