//! Whether a reply claims success, so that a receipt that says otherwise is put in front of it.

/// What claims success, in English; words are matched whole.
const ENGLISH: [&str; 22] = [
    "all checks pass",
    "all green",
    "build is green",
    "builds cleanly",
    "checks pass",
    "completed",
    "corrected",
    "done",
    "fixed",
    "implemented",
    "is green",
    "mended",
    "passes",
    "repaired",
    "resolved",
    "tests are green",
    "tests pass",
    "tests passed",
    "tests succeed",
    "working now",
    "works",
    "works now",
];

/// What takes a claim back in the same sentence, in English.
const NOT_ENGLISH: [&str; 16] = [
    "aren't", "but", "cannot", "can't", "couldn't", "didn't", "doesn't", "don't", "fail", "failed",
    "fails", "failing", "isn't", "not", "still", "wasn't",
];

/// What claims success, in Chinese.
const CHINESE: [&str; 12] = [
    "修好",
    "修复",
    "已解决",
    "解决了",
    "通过",
    "完成",
    "搞定",
    "改好",
    "正常工作",
    "可以用了",
    "没问题",
    "成功",
];

/// What takes a claim back in the same sentence, in Chinese.
const NOT_CHINESE: [&str; 9] = [
    "没有通过",
    "未通过",
    "没通过",
    "不通过",
    "失败",
    "尚未",
    "还没",
    "没有完成",
    "未能",
];

/// Returns whether a sentence of a text claims that something works or is done.
pub fn claims_success(text: &str) -> bool {
    let sentences = text.split(['.', '!', '?', '\n', '。', '！', '？', ';', '；']);
    sentences.into_iter().any(|sentence| {
        let lower = sentence.to_lowercase().replace('’', "'");
        let words: Vec<&str> = lower
            .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
            .filter(|word| !word.is_empty())
            .collect();
        let spaced = format!(" {} ", words.join(" "));
        let has = |phrase: &&str| spaced.contains(&format!(" {phrase} "));
        let within = |part: &&str| lower.contains(*part);
        let in_english = ENGLISH.iter().any(has) && !NOT_ENGLISH.iter().any(has);
        in_english || (CHINESE.iter().any(within) && !NOT_CHINESE.iter().any(within))
    })
}

#[cfg(test)]
mod tests {
    use super::claims_success;

    #[test]
    fn claims_are_recognized() {
        for text in [
            "The first price was left out. Mended, and the tests pass.",
            "Done!",
            "I fixed the login; all green now.",
            "It works now.",
            "修好了，测试全部通过。",
            "已完成。",
        ] {
            assert!(claims_success(text), "{text}");
        }
    }

    #[test]
    fn what_claims_nothing_is_left_alone() {
        for text in [
            "I changed the first line of sums.py.",
            "The tests do not pass.",
            "Two tests still fail.",
            "It isn’t fixed",
            "The login couldn't be fixed.",
            "测试没有通过。",
            "还没修好。",
            "",
        ] {
            assert!(!claims_success(text), "{text}");
        }
    }
}
