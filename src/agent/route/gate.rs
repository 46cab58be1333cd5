//! The decision gate: what kind of message it is, and whether a plan is made before it is acted on.
//!
//! Words alone decide, with what the recommender found; no model is asked. When in doubt the label
//! is [`IntentLabel::Uncertain`], which closes no door.

use sayso_core::transcript::{IntentLabel, LabelReason, RouteResult, Skipped};

use crate::skills::{Intent, MessageFeatures};

/// From how many points on an intent is taken for one: a sure keyword, or two hints.
const CLEAR: u32 = 2;

/// What asks for what Sayso is able to do.
const ABOUT_ABILITIES: [&str; 26] = [
    "what can you",
    "what are you able",
    "what else can you",
    "are you able to",
    "are you capable",
    "do you support",
    "do you know how to",
    "what do you support",
    "which tool",
    "what tool",
    "which skill",
    "what skill",
    "your capability",
    "your skill",
    "how do i use you",
    "你能做什么",
    "你会什么",
    "你会做什么",
    "你可以做什么",
    "你能干什么",
    "你能帮我做什么",
    "你有什么功能",
    "你有哪些",
    "你支持",
    "你会不会",
    "怎么使用你",
];
/// What names code that is there as a whole.
const CODE_AS_A_WHOLE: [&str; 14] = [
    "repo",
    "repository",
    "codebase",
    "code base",
    "project structure",
    "architecture",
    "this project",
    "source tree",
    "代码库",
    "仓库",
    "项目结构",
    "架构",
    "这个项目",
    "源码",
];
/// What asks to be told about it.
const TO_BE_TOLD: [&str; 21] = [
    "analyze",
    "analyse",
    "explain",
    "overview",
    "summarize",
    "summarise",
    "walk me through",
    "how does",
    "where is",
    "where are",
    "understand",
    "describe",
    "look at",
    "分析",
    "解释",
    "介绍",
    "梳理",
    "概述",
    "看看",
    "讲讲",
    "在哪",
];
/// What names a piece of code, or a thing that is made of it.
const OF_CODE: [&str; 43] = [
    "code",
    "function",
    "class",
    "method",
    "module",
    "compile",
    "compiler",
    "script",
    "api",
    "endpoint",
    "unit test",
    "pull request",
    "commit",
    "branch",
    "rust",
    "python",
    "javascript",
    "typescript",
    "java",
    "golang",
    "cargo",
    "npm",
    "sql",
    "regex",
    "html",
    "css",
    "dockerfile",
    "frontend",
    "backend",
    "program",
    "algorithm",
    "refactor",
    "代码",
    "函数",
    "接口",
    "编译",
    "程序",
    "脚本",
    "模块",
    "算法",
    "前端",
    "后端",
    "重构",
];
/// Intents that are about code when code is named.
const CODING: [Intent; 8] = [
    Intent::BugFix,
    Intent::NewFeature,
    Intent::Refactor,
    Intent::Testing,
    Intent::Deployment,
    Intent::Security,
    Intent::Performance,
    Intent::Documentation,
];

/// What kind of message it is, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classified {
    /// The label.
    pub label: IntentLabel,
    /// How sure that is, in percent.
    pub confidence: u8,
    /// What speaks for it.
    pub reason: LabelReason,
}

/// Returns what kind of message it is. `check` is what the local check says of it, and `route` what
/// Phase 1 decided, if it did.
pub fn classify(
    features: &MessageFeatures,
    check: Option<Skipped>,
    route: Option<&RouteResult>,
) -> Classified {
    if let Some(word) = features.first_of(&ABOUT_ABILITIES) {
        return classified(IntentLabel::CapabilityQuery, 90, words(&[word]));
    }
    match check {
        Some(Skipped::SmallTalk) => {
            return classified(IntentLabel::GeneralChat, 95, LabelReason::Courtesies);
        }
        Some(Skipped::NothingMatches) => {
            return classified(IntentLabel::GeneralChat, 85, LabelReason::ClearAlone);
        }
        Some(Skipped::SwitchedOff | Skipped::Continued) | None => {}
    }
    let code = features.first_of(&OF_CODE);
    if let Some(about_code) = about_code(features, code) {
        return about_code;
    }
    if let Some(RouteResult::NeedClarification { .. }) = route {
        return classified(IntentLabel::Uncertain, 80, LabelReason::AskedBack);
    }
    if code.is_none() && features.intents.iter().all(|scored| scored.points == 0) {
        return classified(IntentLabel::GeneralChat, 55, LabelReason::NoTask);
    }
    classified(IntentLabel::Uncertain, 50, LabelReason::NotClear)
}

/// Returns the label of a message that is about code; `code` is the first word that says so.
fn about_code(features: &MessageFeatures, code: Option<&'static str>) -> Option<Classified> {
    let coding = features
        .intents
        .iter()
        .find(|scored| scored.points >= CLEAR && CODING.contains(&scored.intent));
    let changes = coding.filter(|scored| changes_code(scored.intent));
    if let (Some(whole), Some(told), None) = (
        features.first_of(&CODE_AS_A_WHOLE),
        features.first_of(&TO_BE_TOLD),
        changes,
    ) {
        let reason = words(&[told, whole]);
        return Some(classified(IntentLabel::RepoAnalysis, 80, reason));
    }
    match (code, coding) {
        (Some(code), Some(scored)) => {
            let said = [scored.keywords.as_slice(), &[code]].concat();
            Some(classified(IntentLabel::CodingTask, 85, words(&said)))
        }
        _ => changes.map(|scored| classified(IntentLabel::CodingTask, 60, words(&scored.keywords))),
    }
}

/// Returns whether code changes when such a message is done.
fn changes_code(intent: Intent) -> bool {
    matches!(
        intent,
        Intent::BugFix | Intent::NewFeature | Intent::Refactor | Intent::Testing
    )
}

fn classified(label: IntentLabel, confidence: u8, reason: LabelReason) -> Classified {
    Classified {
        label,
        confidence,
        reason,
    }
}

fn words(said: &[&str]) -> LabelReason {
    LabelReason::Words(said.iter().map(|word| (*word).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::IntentLabel::{
        self, CapabilityQuery, CodingTask, GeneralChat, RepoAnalysis, Uncertain,
    };
    use sayso_core::transcript::{RouteResult, Skipped};

    use super::classify;
    use crate::skills::MessageFeatures;

    fn label(text: &str) -> IntentLabel {
        classify(&MessageFeatures::of(text), None, None).label
    }

    #[test]
    fn each_label_is_found() {
        for (text, expected) in [
            ("fix the bug in parse_args, the function panics", CodingTask),
            ("给登录接口补单元测试", CodingTask),
            ("What can you do?", CapabilityQuery),
            ("你会不会画图？", CapabilityQuery),
            ("give me an overview of this repository", RepoAnalysis),
            ("帮我梳理一下这个项目的架构", RepoAnalysis),
            ("how are you", GeneralChat),
            ("法国的首都是哪里", GeneralChat),
            ("remind me to call mum tomorrow", Uncertain),
        ] {
            assert_eq!(label(text), expected, "{text}");
        }
    }

    #[test]
    fn work_on_code_alone_pays_for_a_plan() {
        for label in [CapabilityQuery, GeneralChat, RepoAnalysis, Uncertain] {
            assert!(!label.enables_planning());
        }
        assert!(CodingTask.enables_planning());
    }

    #[test]
    fn what_other_parts_found_is_heard() {
        let features = MessageFeatures::of("sort it out");
        let asks = RouteResult::NeedClarification {
            question: "what?".to_owned(),
            choices: Vec::new(),
        };
        let asked_back = classify(&features, None, Some(&asks));
        assert_eq!(asked_back.label, Uncertain);
        let small_talk = classify(&features, Some(Skipped::SmallTalk), None);
        assert_eq!((small_talk.label, small_talk.confidence), (GeneralChat, 95));
    }
}
