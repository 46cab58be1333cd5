//! The few lines that commands answer first, and the buttons to the details and back.

use sayso_channel::Language;
use sayso_channel::text;
use sayso_channel::{HealthState, HealthStatus};
use sayso_core::transcript::{OutsideReason, first_chars};
use sayso_policy::{AutonomyLevel, Deed, Effective, Treatment};

use super::plain;
use super::skills::{Listed, what_it_is};
use crate::commands::layer::Layer;
use crate::skills::SkillSource;

/// The most of a request that a line quotes, in characters.
const REQUEST_CHARS: usize = 80;
/// How many skills are named before the others are counted.
const NAMED_SKILLS: usize = 12;

/// What `/status` says first.
pub struct BriefStatus<'a> {
    /// The model that is asked first here, `server/model` or `model`.
    pub model: &'a str,
    /// The channels by their names.
    pub channels: &'a [(&'a str, HealthState)],
    /// What goes on here: whether it waits for an approval, and the request.
    pub turns: &'a [(bool, String)],
    /// Whether the kernel holds commands to the folder.
    pub are_commands_confined: bool,
    /// Why what is read in the person's folder counts as text from outside.
    pub outside: Option<OutsideReason>,
}

/// `/status`, in at most five lines.
pub fn brief_status(status: &BriefStatus<'_>, language: Language) -> String {
    let troubled = status.channels.iter().find_map(|(name, health)| {
        let why = match &health.status {
            HealthStatus::Waiting(why) | HealthStatus::Stopped(why) => why,
            HealthStatus::Starting | HealthStatus::Connected => return None,
        };
        Some((platform(name), why))
    });
    let head = match troubled {
        None => text!(language, "commands-brief-status-well").to_owned(),
        Some((name, why)) => text!(
            language,
            "commands-brief-status-not-connected",
            name,
            why = plain(why)
        ),
    };
    let model = status.model.rsplit('/').next().unwrap_or(status.model);
    let model = text!(language, "commands-brief-status-model", model);
    let states = status.channels.iter().filter_map(|(name, health)| {
        let name = platform(name);
        match &health.status {
            HealthStatus::Connected => Some(text!(
                language,
                "commands-brief-status-states-connected",
                name
            )),
            HealthStatus::Starting => Some(text!(
                language,
                "commands-brief-status-states-starting",
                name
            )),
            HealthStatus::Waiting(_) | HealthStatus::Stopped(_) => None,
        }
    });
    let online: String = states.collect();
    let mut lines = vec![
        head,
        format!("{model}{online}"),
        work(status.turns, language),
    ];
    lines.push(commands(status.are_commands_confined, language).to_owned());
    lines.extend(
        status
            .outside
            .map(|why| foreign_files(why, language).to_owned()),
    );
    lines.join("\n")
}

/// Returns the name of a channel's platform as people write it, with a capital letter, and which
/// of several channels of it is meant.
fn platform(channel: &str) -> String {
    let (name, of) = channel.split_once('.').unwrap_or((channel, ""));
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    if of.is_empty() {
        name
    } else {
        format!("{name} ({of})")
    }
}

fn work(turns: &[(bool, String)], language: Language) -> String {
    let Some((is_waiting, request)) = turns.first() else {
        return text!(language, "commands-brief-work-none").to_owned();
    };
    let whole = request.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = match first_chars(&whole, REQUEST_CHARS) {
        Some(kept) => format!("{}…", plain(kept)),
        None => plain(&whole),
    };
    let line = if *is_waiting {
        text!(language, "commands-brief-work-waiting", words)
    } else {
        text!(language, "commands-brief-work-on", words)
    };
    match turns.len() - 1 {
        0 => line,
        more => text!(language, "commands-brief-work-more", line, more),
    }
}

fn commands(are_confined: bool, language: Language) -> &'static str {
    if are_confined {
        text!(language, "commands-brief-commands-confined")
    } else {
        text!(language, "commands-brief-commands-anywhere")
    }
}

fn foreign_files(why: OutsideReason, language: Language) -> &'static str {
    match why {
        OutsideReason::Unreadable => text!(language, "commands-brief-foreign-files-unreadable"),
        _ => text!(language, "commands-brief-foreign-files"),
    }
}

/// `/autonomy`, in a sentence or two.
pub fn brief_autonomy(effective: &Effective, language: Language) -> String {
    let writes = effective.deeds.iter().any(|(deed, treatment)| {
        matches!(deed, Deed::WritesFiles) && *treatment == Treatment::Unasked
    });
    let text = match (effective.level, writes) {
        (AutonomyLevel::ReadOnly, _) => text!(language, "commands-brief-autonomy-read-only"),
        (AutonomyLevel::Supervised, false) => text!(language, "commands-brief-autonomy-supervised"),
        (AutonomyLevel::Supervised, true) => {
            text!(language, "commands-brief-autonomy-supervised-writes")
        }
        (AutonomyLevel::Full, _) => text!(language, "commands-brief-autonomy-full"),
    };
    let owners = if effective.asks_owners {
        text!(language, "commands-brief-autonomy-owners")
    } else {
        ""
    };
    format!("{text}{owners}")
}

/// The button that sets a level.
pub fn level_button(level: AutonomyLevel, language: Language) -> &'static str {
    match level {
        AutonomyLevel::ReadOnly => text!(language, "commands-brief-level-button-read-only"),
        AutonomyLevel::Supervised => text!(language, "commands-brief-level-button-supervised"),
        AutonomyLevel::Full => text!(language, "commands-brief-level-button-full"),
    }
}

/// `/skills`: what the skills that are on here are good for.
pub fn brief_skills(listed: &[Listed], left_out: usize, language: Language) -> String {
    let is_own = |one: &&Listed| one.skill.source != SkillSource::Builtin;
    let on = || listed.iter().filter(|one| !one.is_off);
    // Those for everyday work stand last in the catalogue.
    let built_in = on().filter(|one| !is_own(one)).rev();
    let names: Vec<String> = on()
        .filter(is_own)
        .chain(built_in)
        .map(|one| plain(&what_it_is(&one.skill.description)))
        .collect();
    let shown = names.get(..NAMED_SKILLS).unwrap_or(&names).join(" · ");
    let more = names.len().saturating_sub(NAMED_SKILLS);
    let mut lines = vec![match (names.is_empty(), more) {
        (true, _) => text!(language, "commands-brief-skills-none").to_owned(),
        (false, 0) => text!(language, "commands-brief-skills", shown),
        (false, _) => text!(language, "commands-brief-skills-more", shown, more),
    }];
    let off = listed.iter().filter(|one| one.is_off).count();
    lines.extend((off > 0).then(|| text!(language, "commands-brief-skills-off", off)));
    lines.extend(
        (left_out > 0).then(|| text!(language, "commands-brief-skills-left-out", left_out)),
    );
    lines.join("\n")
}

/// The button that shows the other layer.
pub fn layer_button(layer: Layer, language: Language) -> &'static str {
    match layer {
        Layer::Details => text!(language, "commands-brief-layer-button-details"),
        Layer::Brief => text!(language, "commands-brief-layer-button-brief"),
    }
}

/// A press on the answer to a command of somebody else.
pub fn answer_of_others(language: Language) -> &'static str {
    text!(language, "commands-brief-answer-of-others")
}

#[cfg(test)]
mod tests {
    use sayso_channel::Health;

    use sayso_channel::Language::{Chinese, English};

    use super::*;

    fn both(status: &BriefStatus<'_>) -> String {
        [English, Chinese]
            .map(|language| brief_status(status, language))
            .join("\n---\n")
    }

    #[test]
    fn u17_status_is_five_lines_that_everybody_understands() {
        let health = HealthState {
            status: HealthStatus::Connected,
            ..Health::new().read()
        };
        let channels = [("telegram", health.clone())];
        let turns = [(true, "sort\nmy photos".to_owned())];
        let status = BriefStatus {
            model: "main/gpt-4o-mini",
            channels: &channels,
            turns: &turns,
            are_commands_confined: true,
            outside: Some(OutsideReason::FoundThere),
        };
        insta::assert_snapshot!(both(&status), @r"
        **All is well.**
        Model: `gpt-4o-mini` · Telegram: online
        Waiting for approval: “sort my photos”
        Commands: only in your folder, no internet
        Your folder holds files that I did not make, so I ask a little more often.
        ---
        **一切正常。**
        模型：`gpt-4o-mini` · Telegram：在线
        等待批准：“sort my photos”
        命令：仅限你的文件夹，不联网
        你的文件夹里有外来文件，所以我会多问几次。
        ");
        let waiting = HealthState {
            status: HealthStatus::Waiting("the network is away".to_owned()),
            ..health.clone()
        };
        let channels = [("telegram", health), ("discord.work", waiting)];
        let status = BriefStatus {
            channels: &channels,
            turns: &[],
            outside: None,
            ..status
        };
        insta::assert_snapshot!(both(&status), @r"
        **Discord (work) is not connected:** the network is away
        Model: `gpt-4o-mini` · Telegram: online
        Nothing is running here.
        Commands: only in your folder, no internet
        ---
        **Discord (work) 没有连上：**the network is away
        模型：`gpt-4o-mini` · Telegram：在线
        这里没有进行中的任务。
        命令：仅限你的文件夹，不联网
        ");
    }
}
