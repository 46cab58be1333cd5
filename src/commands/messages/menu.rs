//! The commands in the menus of the platforms and in `/help`.

use sayso_channel::{Argument, ArgumentKind, Choice, Command};

use crate::commands::CommandKind;

/// The line of a command in menu and help. A new command does not build without one.
pub fn menu_entry(command: CommandKind) -> Command {
    let (name, english, chinese) = match command {
        CommandKind::Start => START,
        CommandKind::Help => HELP,
        CommandKind::New => ("new", "Begin a new conversation", "开始新的对话"),
        CommandKind::Stop => ("stop", "Stop what I am doing for you", "停止正在为你做的事"),
        CommandKind::Steer => STEER,
        CommandKind::Queue => QUEUE,
        CommandKind::Interrupt => INTERRUPT,
        CommandKind::Undo => UNDO,
        CommandKind::Status => (
            "status",
            "Show status and what I am doing",
            "运行状态和正在做的事",
        ),
        CommandKind::WhoAmI => ("whoami", "Who you are to me", "我所知道的你是谁"),
        CommandKind::Link => LINK,
        CommandKind::Unlink => (
            "unlink",
            "Disconnect this account from your others",
            "取消账号关联",
        ),
        CommandKind::Autonomy => (
            "autonomy",
            "What I may do without asking",
            "哪些事我可以不询问就做",
        ),
        CommandKind::Grants => (
            "grants",
            "List or revoke what you always allow",
            "查看或撤销“总是允许”",
        ),
        CommandKind::Usage => (
            "usage",
            "What you used today, and what is left",
            "今天的用量和剩余",
        ),
        CommandKind::Compact => COMPACT,
        CommandKind::Forget => FORGET,
        CommandKind::Memory => MEMORY,
        CommandKind::Model => MODEL,
        CommandKind::Skills => SKILLS,
        CommandKind::Project => PROJECT,
        CommandKind::Routines => ROUTINES,
        CommandKind::Remind => REMIND,
        CommandKind::Reminders => REMINDERS,
        CommandKind::Timezone => TIMEZONE,
        CommandKind::Quiet => QUIET,
        CommandKind::Language => LANGUAGE,
    };
    Command {
        name,
        english,
        chinese,
        argument: argument(command),
    }
}

/// What may be written behind the name.
fn argument(command: CommandKind) -> Option<Argument> {
    match command {
        CommandKind::Start => Some(OF_START),
        CommandKind::Link => Some(Argument {
            name: "code",
            english: "The code from your other account; empty gives one",
            chinese: "另一个账号上得到的关联码；留空则生成一个",
            kind: ArgumentKind::Text,
        }),
        CommandKind::Autonomy => Some(Argument {
            name: "level",
            english: "Show the level, or the one to lower it to",
            chinese: "查看级别，或要调低到的级别",
            kind: ArgumentKind::Choice(AUTONOMY),
        }),
        CommandKind::Grants => Some(Argument {
            name: "revoke",
            english: "`revoke 2` or `revoke all`; empty lists them",
            chinese: "`revoke 2` 或 `revoke all`；留空则列出",
            kind: ArgumentKind::Text,
        }),
        CommandKind::Forget => Some(Argument {
            name: "what",
            english: "`everything`: I ask once before",
            chinese: "`everything`：之前会再问一次",
            kind: ArgumentKind::Text,
        }),
        CommandKind::Memory => Some(Argument {
            name: "what",
            english: "`export`: files; `profile`: what is always in view of you",
            chinese: "`export`：文件；`profile`：始终参考的你的档案",
            kind: ArgumentKind::Text,
        }),
        CommandKind::Model => Some(Argument {
            name: "which",
            english: "The number or name of a model, or `auto`; empty lists them",
            chinese: "模型的编号或名称，或 `auto`；留空则列出",
            kind: ArgumentKind::Text,
        }),
        CommandKind::Project => Some(OF_PROJECT),
        CommandKind::Skills => Some(OF_SKILLS),
        CommandKind::Language => Some(OF_LANGUAGE),
        CommandKind::Remind => Some(OF_REMIND),
        CommandKind::Timezone => Some(OF_TIMEZONE),
        CommandKind::Quiet => Some(OF_QUIET),
        CommandKind::Steer | CommandKind::Queue | CommandKind::Interrupt => Some(WORDS),
        CommandKind::Help | CommandKind::Status | CommandKind::Usage => Some(OF_LAYERS),
        CommandKind::New
        | CommandKind::Stop
        | CommandKind::Undo
        | CommandKind::WhoAmI
        | CommandKind::Unlink
        | CommandKind::Routines
        | CommandKind::Reminders
        | CommandKind::Compact => None,
    }
}

/// `/start` in menu and help: its name, in English, in 简体中文.
const START: (&str, &str, &str) = (
    "start",
    "Say hello, or pair with a code",
    "打招呼，或用配对码配对",
);

/// `/help`.
const HELP: (&str, &str, &str) = (
    "help",
    "What I can do, and the commands",
    "我能做什么，有哪些命令",
);

/// What may be written behind `/start`.
const OF_START: Argument = Argument {
    name: "code",
    english: "The pairing code, if you have one",
    chinese: "配对码（如果有）",
    kind: ArgumentKind::Text,
};

/// What may be written behind a command that answers in a few lines.
const OF_LAYERS: Argument = Argument {
    name: "details",
    english: "Everything instead of a few lines",
    chinese: "显示全部，而不是几行",
    kind: ArgumentKind::Choice(&[Choice {
        value: "details",
        english: "All details",
        chinese: "全部详情",
    }]),
};

/// What may be written behind `/autonomy`.
const AUTONOMY: &[Choice] = &[
    Choice {
        value: "details",
        english: "Show everything that holds here",
        chinese: "查看这里的全部规则",
    },
    Choice {
        value: "read_only",
        english: "Read only: change nothing",
        chinese: "只读：不做任何改动",
    },
    Choice {
        value: "supervised",
        english: "Supervised: ask before anything risky",
        chinese: "监督：有风险的事先询问",
    },
    Choice {
        value: "full",
        english: "Full: do what the configuration allows, without asking",
        chinese: "完全：配置允许的事不询问就做",
    },
];

/// What may be written behind `/language`.
const OF_LANGUAGE: Argument = Argument {
    name: "language",
    english: "English, 中文, or the one you write in",
    chinese: "中文、English，或跟着你写的语言",
    kind: ArgumentKind::Choice(LANGUAGES),
};

/// Its values. The first one chooses nothing.
const LANGUAGES: &[Choice] = &[
    Choice {
        value: "show",
        english: "Show the language",
        chinese: "查看语言",
    },
    Choice {
        value: "en",
        english: "English",
        chinese: "English",
    },
    Choice {
        value: "zh-CN",
        english: "中文",
        chinese: "中文",
    },
    Choice {
        value: "auto",
        english: "Automatic: the language you write in",
        chinese: "自动：跟着你写的语言",
    },
];

/// `/language`: its name, in English, in 简体中文.
const LANGUAGE: (&str, &str, &str) = ("language", "English or 中文", "中文或 English");

/// `/forget` in menu and help: its name, in English, in 简体中文.
const FORGET: (&str, &str, &str) = (
    "forget",
    "Forget some of what I remember, or everything",
    "忘掉我记住的某些内容，或者一切",
);

/// `/memory` in menu and help.
const MEMORY: (&str, &str, &str) = ("memory", "What I remember", "我记住了什么");

/// `/skills` in menu and help.
const SKILLS: (&str, &str, &str) = (
    "skills",
    "What I know how to do well, and which of it is used here",
    "我擅长的技能，以及这里启用了哪些",
);

/// `/model` in menu and help.
const MODEL: (&str, &str, &str) = ("model", "Which model answers here", "这里由哪个模型回答");

/// `/routines` in menu and help.
const ROUTINES: (&str, &str, &str) = (
    "routines",
    "What you want done at set times",
    "你要定时做的事",
);

/// `/remind` in menu and help.
const REMIND: (&str, &str, &str) = ("remind", "Remind you of something", "提醒你一件事");

/// `/reminders` in menu and help.
const REMINDERS: (&str, &str, &str) = ("reminders", "What I will remind you of", "我会提醒你的事");

/// `/timezone` in menu and help.
const TIMEZONE: (&str, &str, &str) = ("timezone", "Your time zone", "你的时区");

/// `/quiet` in menu and help.
const QUIET: (&str, &str, &str) = (
    "quiet",
    "Hours in which I send nothing unasked",
    "免打扰时段",
);

/// What may be written behind `/remind`.
const OF_REMIND: Argument = Argument {
    name: "what",
    english: "When and what: `tomorrow at 9 call mum`; empty lists them",
    chinese: "时间和事情：`明天早上9点 给妈妈打电话`；留空则列出",
    kind: ArgumentKind::Text,
};

/// What may be written behind `/timezone`.
const OF_TIMEZONE: Argument = Argument {
    name: "zone",
    english: "A city, or a zone such as `Europe/Berlin`; empty shows it",
    chinese: "城市，或 `Asia/Shanghai` 这样的时区；留空则查看",
    kind: ArgumentKind::Text,
};

/// What may be written behind `/quiet`.
const OF_QUIET: Argument = Argument {
    name: "hours",
    english: "`22:30-07:30` or `off`; empty shows them",
    chinese: "`22:30-07:30` 或 `off`；留空则查看",
    kind: ArgumentKind::Text,
};

/// `/link`.
const LINK: (&str, &str, &str) = (
    "link",
    "Join another account of yours, so that I know you on both",
    "关联你的另一个账号，让我在两边都认得你",
);

/// `/compact`.
const COMPACT: (&str, &str, &str) = (
    "compact",
    "Sum up the earlier part of our conversation",
    "概括我们较早的对话",
);

/// What may be written behind `/skills`.
const OF_SKILLS: Argument = Argument {
    name: "what",
    english: "`suggest WORDS`, `on NAME` or `off NAME`; empty lists them",
    chinese: "`suggest 内容`、`on 名称` 或 `off 名称`；留空则列出",
    kind: ArgumentKind::Text,
};

/// `/steer` joins it: its name, in English, in 简体中文.
const STEER: (&str, &str, &str) = (
    "steer",
    "Add words to what I am doing",
    "补充到正在做的事里",
);

/// Waits for it.
const QUEUE: (&str, &str, &str) = (
    "queue",
    "Do this when I am done with what I am doing",
    "做完手上的事之后再做这件",
);

/// Ends it.
const INTERRUPT: (&str, &str, &str) = (
    "interrupt",
    "Stop what I am doing and do this",
    "停下手上的事，改做这件",
);

/// `/undo`.
const UNDO: (&str, &str, &str) = (
    "undo",
    "Put back what I last changed in files",
    "撤销我最近对文件的改动",
);

/// The words behind `/steer`, `/queue` or `/interrupt`.
const WORDS: Argument = Argument {
    name: "words",
    english: "What you want",
    chinese: "你要说的内容",
    kind: ArgumentKind::Text,
};

/// `/project` in the menu.
const PROJECT: (&str, &str, &str) = (
    "project",
    "Which folder I work in here",
    "在这里使用哪个项目文件夹",
);

/// What `/project` takes.
const OF_PROJECT: Argument = Argument {
    name: "which",
    english: "The name of a project, or `none`; empty lists them",
    chinese: "项目的名称，或 `none`；留空则列出",
    kind: ArgumentKind::Text,
};
