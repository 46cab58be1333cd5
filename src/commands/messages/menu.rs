//! The commands in the menus of the platforms and in `/help`.

use std::sync::LazyLock;

use sayso_channel::{Argument, ArgumentKind, Choice, Command, Language, text};

use crate::commands::CommandKind;

/// A text in English and in 简体中文, as the menus of the platforms take both at once.
#[derive(Clone, Copy)]
struct Both {
    english: &'static str,
    chinese: &'static str,
}

/// Declares texts of the menus by what they name: one function each, with the key of its text.
macro_rules! texts {
    ($($name:ident() $key:literal)*) => {$(
        fn $name() -> Both {
            Both {
                english: text!(Language::English, $key),
                chinese: text!(Language::Chinese, $key),
            }
        }
    )*};
}

texts! {
    start() "menu-start"
    help() "menu-help"
    new() "menu-new"
    stop() "menu-stop"
    steer() "menu-steer"
    queue() "menu-queue"
    interrupt() "menu-interrupt"
    undo() "menu-undo"
    check() "menu-check"
    status() "menu-status"
    whoami() "menu-whoami"
    link() "menu-link"
    unlink() "menu-unlink"
    autonomy() "menu-autonomy"
    grants() "menu-grants"
    usage() "menu-usage"
    compact() "menu-compact"
    forget() "menu-forget"
    memory() "menu-memory"
    model() "menu-model"
    skills() "menu-skills"
    project() "menu-project"
    routines() "menu-routines"
    language() "menu-language"
    remind() "menu-remind"
    reminders() "menu-reminders"
    timezone() "menu-timezone"
    quiet() "menu-quiet"
    what_to_remind() "menu-remind-what"
    which_zone() "menu-timezone-zone"
    quiet_hours() "menu-quiet-hours"
    code_of_start() "menu-start-code"
    code_of_link() "menu-link-code"
    level() "menu-autonomy-level"
    level_details() "menu-autonomy-details"
    level_read_only() "menu-autonomy-read-only"
    level_supervised() "menu-autonomy-supervised"
    level_full() "menu-autonomy-full"
    revoke() "menu-grants-revoke"
    what_to_forget() "menu-forget-what"
    what_of_memory() "menu-memory-what"
    which_model() "menu-model-which"
    what_of_skills() "menu-skills-what"
    which_project() "menu-project-which"
    which_language() "menu-language-which"
    language_show() "menu-language-show"
    language_auto() "menu-language-auto"
    layer() "menu-layer"
    layer_details() "menu-layer-details"
    wanted_words() "menu-words"
}

/// The line of a command in menu and help. A new command does not build without one.
pub fn menu_entry(command: CommandKind) -> Command {
    let (name, words) = match command {
        CommandKind::Start => ("start", start()),
        CommandKind::Help => ("help", help()),
        CommandKind::New => ("new", new()),
        CommandKind::Stop => ("stop", stop()),
        CommandKind::Steer => ("steer", steer()),
        CommandKind::Queue => ("queue", queue()),
        CommandKind::Interrupt => ("interrupt", interrupt()),
        CommandKind::Undo => ("undo", undo()),
        CommandKind::Check => ("check", check()),
        CommandKind::Status => ("status", status()),
        CommandKind::WhoAmI => ("whoami", whoami()),
        CommandKind::Link => ("link", link()),
        CommandKind::Unlink => ("unlink", unlink()),
        CommandKind::Autonomy => ("autonomy", autonomy()),
        CommandKind::Grants => ("grants", grants()),
        CommandKind::Usage => ("usage", usage()),
        CommandKind::Compact => ("compact", compact()),
        CommandKind::Forget => ("forget", forget()),
        CommandKind::Memory => ("memory", memory()),
        CommandKind::Model => ("model", model()),
        CommandKind::Skills => ("skills", skills()),
        CommandKind::Project => ("project", project()),
        CommandKind::Routines => ("routines", routines()),
        CommandKind::Remind => ("remind", remind()),
        CommandKind::Reminders => ("reminders", reminders()),
        CommandKind::Timezone => ("timezone", timezone()),
        CommandKind::Quiet => ("quiet", quiet()),
        CommandKind::Language => ("language", language()),
    };
    Command {
        name,
        english: words.english,
        chinese: words.chinese,
        argument: argument(command),
    }
}

/// What may be written behind the name.
fn argument(command: CommandKind) -> Option<Argument> {
    let text = ArgumentKind::Text;
    Some(match command {
        CommandKind::Start => named("code", code_of_start(), text),
        CommandKind::Link => named("code", code_of_link(), text),
        CommandKind::Autonomy => named("level", level(), ArgumentKind::Choice(&*LEVELS)),
        CommandKind::Grants => named("revoke", revoke(), text),
        CommandKind::Forget => named("what", what_to_forget(), text),
        CommandKind::Memory => named("what", what_of_memory(), text),
        CommandKind::Model => named("which", which_model(), text),
        CommandKind::Skills => named("what", what_of_skills(), text),
        CommandKind::Project => named("which", which_project(), text),
        CommandKind::Remind => named("what", what_to_remind(), text),
        CommandKind::Timezone => named("zone", which_zone(), text),
        CommandKind::Quiet => named("hours", quiet_hours(), text),
        CommandKind::Language => named(
            "language",
            which_language(),
            ArgumentKind::Choice(&*LANGUAGES),
        ),
        CommandKind::Steer | CommandKind::Queue | CommandKind::Interrupt => {
            named("words", wanted_words(), text)
        }
        CommandKind::Help | CommandKind::Status | CommandKind::Usage => {
            named("details", layer(), ArgumentKind::Choice(&*LAYERS))
        }
        CommandKind::New
        | CommandKind::Stop
        | CommandKind::Undo
        | CommandKind::Check
        | CommandKind::WhoAmI
        | CommandKind::Unlink
        | CommandKind::Routines
        | CommandKind::Reminders
        | CommandKind::Compact => return None,
    })
}

fn named(name: &'static str, words: Both, kind: ArgumentKind) -> Argument {
    Argument {
        name,
        english: words.english,
        chinese: words.chinese,
        kind,
    }
}

fn choice(value: &'static str, words: Both) -> Choice {
    Choice {
        value,
        english: words.english,
        chinese: words.chinese,
    }
}

/// A name that is the same in each language.
fn in_each(name: &'static str) -> Both {
    Both {
        english: name,
        chinese: name,
    }
}

/// What may be written behind a command that answers in a few lines.
static LAYERS: LazyLock<[Choice; 1]> = LazyLock::new(|| [choice("details", layer_details())]);

/// What may be written behind `/autonomy`.
static LEVELS: LazyLock<[Choice; 4]> = LazyLock::new(|| {
    [
        choice("details", level_details()),
        choice("read_only", level_read_only()),
        choice("supervised", level_supervised()),
        choice("full", level_full()),
    ]
});

/// What may be written behind `/language`. The first one chooses nothing; the languages have their
/// own names in each.
static LANGUAGES: LazyLock<[Choice; 4]> = LazyLock::new(|| {
    [
        choice("show", language_show()),
        choice("en", in_each("English")),
        choice("zh-CN", in_each("中文")),
        choice("auto", language_auto()),
    ]
});
