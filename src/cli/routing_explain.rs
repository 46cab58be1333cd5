//! `sayso routing explain`: what the free local rules make of a text.
//!
//! No model is asked, and nothing is read but the built-in skills.

use std::io::Write;

use sayso_channel::Language;
use sayso_core::transcript::LabelReason;

use super::exit::Exit;
use super::messages;
use crate::agent::route;
use crate::skills::{MessageFeatures, Reason, Skills};

/// Prints the label of a text, and the skills that may help with it, the best first.
pub(super) fn explain(
    text: &str,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let skills = Skills::builtin()?;
    let catalogue =
        [Language::English, Language::Chinese].map(|language| skills.catalogue(language));
    let catalogue = catalogue.concat();
    let check = route::skip(text, &catalogue, &[]);
    let features = MessageFeatures::of(text);
    let rules = route::by_rules(&features, skills.recommender(), check, None);
    let label = rules.label.as_str();
    let why = label_in_words(&rules.reason, language);
    let said = messages::routing_label(language, &label, &rules.confidence, &why);
    writeln!(output, "{said}")?;
    let chosen = match rules.skills.as_slice() {
        [] => messages::routing_direct(language),
        skills => messages::routing_skills(language, &skills.join(", ")),
    };
    writeln!(output, "{chosen}")?;
    for found in skills.recommender().recommend(&features) {
        let reasons: Vec<String> = found
            .reasons
            .iter()
            .map(|reason| in_words(reason, language))
            .collect();
        let (skill, points, why) = (found.skill, found.points, reasons.join("; "));
        writeln!(output, "  {points:>2}  {skill}: {why}")?;
    }
    Ok(Exit::Fine)
}

fn label_in_words(reason: &LabelReason, language: Language) -> String {
    match reason {
        LabelReason::Words(words) => words.join(", "),
        LabelReason::Courtesies => messages::routing_courtesies(language),
        LabelReason::ClearAlone => messages::routing_clear_alone(language),
        LabelReason::AskedBack => messages::routing_asked_back(language),
        LabelReason::NoTask => messages::routing_no_task(language),
        LabelReason::NotClear => messages::routing_not_clear(language),
        LabelReason::InWords(reason) => reason.clone(),
    }
}

fn in_words(reason: &Reason, language: Language) -> String {
    match reason {
        Reason::Intent(intent, words) => {
            messages::routing_intent(language, &intent.as_str(), &words.join(", "))
        }
        Reason::Name(words) => messages::routing_name(language, &words.join(", ")),
        Reason::Description(words) => messages::routing_description(language, &words.join(", ")),
        Reason::Examples => messages::routing_examples(language),
    }
}
