//! The commands about the work that is under way, or was done last, in menu and help.

use sayso_channel::{Argument, ArgumentKind};

/// `/steer` joins it: its name, in English, in 简体中文.
pub const STEER: (&str, &str, &str) = (
    "steer",
    "Add words to what I am doing",
    "补充到正在做的事里",
);
/// Waits for it.
pub const QUEUE: (&str, &str, &str) = (
    "queue",
    "Do this when I am done with what I am doing",
    "做完手上的事之后再做这件",
);
/// Ends it.
pub const INTERRUPT: (&str, &str, &str) = (
    "interrupt",
    "Stop what I am doing and do this",
    "停下手上的事，改做这件",
);

/// `/undo`.
pub const UNDO: (&str, &str, &str) = (
    "undo",
    "Put back what I last changed in files",
    "撤销我最近对文件的改动",
);

/// The words behind `/steer`, `/queue` or `/interrupt`.
pub const WORDS: Argument = Argument {
    name: "words",
    english: "What you want",
    chinese: "你要说的内容",
    kind: ArgumentKind::Text,
};
