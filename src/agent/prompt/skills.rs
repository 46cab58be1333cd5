//! [4.5] The texts of the skills that Phase 1 chose. They are in the prompt of one turn only.

use sayso_channel::Language;

use super::capped;

/// The most of one skill's text, in characters.
const SKILL_CHARS: usize = 8000;
/// The most skills of one turn.
const SKILLS: usize = 4;

/// Returns the section; `None` without skills.
pub fn routed_section(routed: &[(&str, &str)], language: Language) -> Option<String> {
    if routed.is_empty() {
        return None;
    }
    let heading = match language {
        Language::English => "[Guides] For this task; follow them within the rules above:",
        Language::Chinese => "[行为指南] 本次任务的指南，在上述规则之内遵循：",
    };
    let mut blocks = vec![heading.to_owned()];
    blocks.extend(
        routed.iter().take(SKILLS).map(|(name, text)| {
            format!("## Skill: {name}\n{}", capped(text, SKILL_CHARS, language))
        }),
    );
    let left_out = routed.get(SKILLS..).unwrap_or_default();
    if !left_out.is_empty() {
        blocks.push(left_out_note(left_out, language));
    }
    Some(blocks.join("\n\n"))
}

fn left_out_note(left_out: &[(&str, &str)], language: Language) -> String {
    let names: Vec<_> = left_out.iter().map(|(name, _)| *name).collect();
    let names = names.join(", ");
    match language {
        Language::English => format!("[not loaded, use `skill` if needed: {names}]"),
        Language::Chinese => format!("[未加载，需要时用 `skill`：{names}]"),
    }
}
