//! Where the untrusted text in view came from, as a card says it.

use sayso_channel::Language;

use crate::transcript::{Taint, TaintOrigin, TaintSource, Way};

/// How many sources of untrusted text a card names.
const NAMED_SOURCES: usize = 4;

/// Names where the untrusted text in view came from; `None` where there is none.
pub fn in_view(taint: &Taint, language: Language) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for source in taint.sources() {
        let name = source_name(source, language);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return None;
    }
    let more = names.len().saturating_sub(NAMED_SOURCES);
    names.truncate(NAMED_SOURCES);
    Some(match (language, more) {
        (Language::English, 0) => format!("In view: {}.", names.join(", ")),
        (Language::English, _) => format!("In view: {}, and {more} more.", names.join(", ")),
        (Language::Chinese, 0) => format!("对话中有：{}。", names.join("、")),
        (Language::Chinese, _) => format!("对话中有：{}，另有 {more} 处。", names.join("、")),
    })
}

fn source_name(source: &TaintSource, language: Language) -> String {
    let origin = match (&source.origin, language) {
        (TaintOrigin::Others, Language::English) => "words of others".to_owned(),
        (TaintOrigin::Others, Language::Chinese) => "他人的话".to_owned(),
        (TaintOrigin::Tool { name, .. }, Language::English) => format!("text from `{name}`"),
        (TaintOrigin::Tool { name, .. }, Language::Chinese) => format!("来自 `{name}` 的文本"),
        (TaintOrigin::Picture, Language::English) => "a picture".to_owned(),
        (TaintOrigin::Picture, Language::Chinese) => "图片".to_owned(),
        (TaintOrigin::Many, Language::English) => "text from many places".to_owned(),
        (TaintOrigin::Many, Language::Chinese) => "多处来源的文本".to_owned(),
    };
    match (source.way, language) {
        (Way::Here, Language::English | Language::Chinese) => origin,
        (Way::Earlier, Language::English) => format!("{origin} (an earlier turn)"),
        (Way::Earlier, Language::Chinese) => format!("{origin}（此前的对话）"),
        (Way::Memory, Language::English) => format!("{origin} (a memory)"),
        (Way::Memory, Language::Chinese) => format!("{origin}（记忆）"),
    }
}

#[cfg(test)]
mod tests {
    use super::in_view;
    use crate::transcript::{CallId, Taint, ToolCall, Way};
    use sayso_channel::Language;

    #[test]
    fn a_card_names_where_the_text_in_view_came_from() {
        let shell = |command: &str| ToolCall {
            id: CallId("1".into()),
            name: "shell".into(),
            arguments: serde_json::json!({ "command": command }),
        };
        assert_eq!(in_view(&Taint::default(), Language::English), None);
        let mut taint = Taint::default();
        taint.add_result_of(&shell("ls"));
        taint.add_result_of(&shell("cat x"));
        let earlier = taint.by(Way::Earlier);
        taint.merge(&earlier);
        taint.add_others();
        let page = [Language::English, Language::Chinese].map(|language| in_view(&taint, language));
        insta::assert_snapshot!(page.map(Option::unwrap).join("\n"), @r"
        In view: words of others, text from `shell`, text from `shell` (an earlier turn).
        对话中有：他人的话、来自 `shell` 的文本、来自 `shell` 的文本（此前的对话）。
        ");
        taint.merge(&taint.by(Way::Memory));
        let many = in_view(&taint, Language::English).unwrap();
        assert!(many.ends_with(", and 1 more."), "{many}");
    }
}
