//! What is typed in the tour, and what is said about it, scene by scene.

use sayso_channel::Language;
use sayso_terminal::Line;

/// A part of the tour: what it shows, and what is typed.
struct Scene {
    shows: &'static str,
    typed: &'static [&'static str],
}

/// Returns the tour, line by line.
pub fn lines(language: Language) -> Vec<Line> {
    let (opening, scenes, pause, end) = match language {
        Language::English => (ENGLISH_OPENING, &ENGLISH, ENGLISH_PAUSE, ENGLISH_END),
        Language::Chinese => (CHINESE_OPENING, &CHINESE, CHINESE_PAUSE, CHINESE_END),
    };
    let mut lines = vec![Line::Remark(opening.to_owned())];
    for (place, scene) in scenes.iter().enumerate() {
        if place > 0 {
            lines.push(Line::Pause(pause.to_owned()));
        }
        lines.push(Line::Remark(scene.shows.to_owned()));
        lines.extend(
            scene
                .typed
                .iter()
                .map(|line| Line::Text((*line).to_owned())),
        );
    }
    lines.push(Line::Remark(end.to_owned()));
    lines
}

const ENGLISH_OPENING: &str = "A tour of Sayso on the offline model: no network, no account. What you would type is typed for you.";

const ENGLISH: [Scene; 7] = [
    Scene {
        shows: "A greeting.",
        typed: &["hello"],
    },
    Scene {
        shows: "Memory: what you tell it is kept, and no other person's turn can read it.",
        typed: &[
            "remember that my favourite tea is oolong",
            "what do you remember about oolong?",
        ],
    },
    Scene {
        shows: "Always: this exact command, for you, in this chat. It runs unasked from now on, and /grants takes it back.",
        typed: &[
            "run mkdir -p photos/2026",
            "a",
            "run mkdir -p photos/2026",
            "/grants",
        ],
    },
    Scene {
        shows: "A question that a skill fits: a first small call picks the guide, the second answers with it.",
        typed: &["how do I write a good git commit?"],
    },
    Scene {
        shows: "An unclear request: Sayso asks back before it does anything.",
        typed: &["do it", "1"],
    },
    Scene {
        shows: "A command waits for your say-so. What the card shows is exactly what runs.",
        typed: &["run mkdir -v hello-from-the-shell", "y"],
    },
    Scene {
        shows: "No means no: the command never runs.",
        typed: &["run rm -rf important-directory", "n"],
    },
];

const ENGLISH_PAUSE: &str = "Press Enter for the next scene.";

const ENGLISH_END: &str = "That was the tour. `sayso chat` is the same with you at the keyboard; `sayso init` connects Telegram and a real model.";

const CHINESE_OPENING: &str =
    "Sayso 导览，使用离线模型：不需要网络和账号。要输入的内容已经替你写好。";

const CHINESE: [Scene; 7] = [
    Scene {
        shows: "打个招呼。",
        typed: &["你好"],
    },
    Scene {
        shows: "记忆：你告诉它的会被记住，别人的对话读不到。",
        typed: &["记住我最喜欢的茶是乌龙茶", "你记得乌龙茶吗？"],
    },
    Scene {
        shows: "总是允许：只限这一条命令、你本人、这个聊天。之后不再询问，可用 /grants 撤销。",
        typed: &[
            "运行 mkdir -p 照片/2026",
            "a",
            "运行 mkdir -p 照片/2026",
            "/grants",
        ],
    },
    Scene {
        shows: "有对应技能的问题：先用一次小调用选出指南，再带着指南回答。",
        typed: &["git 提交信息怎么写？"],
    },
    Scene {
        shows: "含糊的请求：动手之前，Sayso 先反问。",
        typed: &["弄一下", "1"],
    },
    Scene {
        shows: "命令要等你点头。卡片上写的，就是将要执行的。",
        typed: &["运行 mkdir -v 来自命令行的问候", "y"],
    },
    Scene {
        shows: "拒绝就是拒绝：这条命令不会执行。",
        typed: &["运行 rm -rf important-directory", "n"],
    },
];

const CHINESE_PAUSE: &str = "按回车键看下一幕。";

const CHINESE_END: &str =
    "导览到此结束。`sayso chat` 由你亲自输入；`sayso init` 连接 Telegram 和真正的模型。";

#[cfg(test)]
mod tests {
    use sayso_channel::Language;
    use sayso_terminal::Line;

    use super::lines;

    #[test]
    fn u26_the_tour_waits_before_each_scene_but_the_first() {
        for language in [Language::English, Language::Chinese] {
            let lines = lines(language);
            let is_pause = |line: &&Line| matches!(line, Line::Pause(_));
            assert_eq!(lines.iter().filter(is_pause).count(), 6);
            let mut pairs = lines.windows(2);
            let before_scene = |pair: &[Line]| matches!(pair, [Line::Pause(_), Line::Remark(_)]);
            let ends = |pair: &[Line]| matches!(pair, [Line::Pause(_), _]);
            assert!(pairs.all(|pair| !ends(pair) || before_scene(pair)));
        }
    }
}
