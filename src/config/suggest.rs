//! "Did you mean": the allowed word that is nearest to what was written.

use strsim::osa_distance;

use super::keys::Kind;
use super::messages::Hint;

/// Services that speak OpenAI's protocol and that people write as a kind of provider, and their
/// addresses.
const SERVICES: [(&str, &str); 7] = [
    ("ollama", "http://127.0.0.1:11434/v1"),
    ("deepseek", "https://api.deepseek.com/v1"),
    ("openrouter", "https://openrouter.ai/api/v1"),
    ("groq", "https://api.groq.com/openai/v1"),
    ("mistral", "https://api.mistral.ai/v1"),
    ("lmstudio", "http://127.0.0.1:1234/v1"),
    ("vllm", "http://127.0.0.1:8000/v1"),
];

/// Returns what was probably meant by a word that a key does not take.
pub(super) fn meant_word(kind: Kind, path: &str, written: &str) -> Option<Hint> {
    let Kind::Choice(words) = kind else {
        return None;
    };
    // First, since `ollama` is such a service and not `llama` misspelled.
    if let Some(hint) = connection_of(path, written) {
        return Some(hint);
    }
    let word = nearest(written, words)?;
    Some(Hint::Nearest { word })
}

/// Returns the address of a service that speaks OpenAI's protocol, by its name in small letters.
pub fn service_address(name: &str) -> Option<&'static str> {
    let (_, address) = SERVICES.iter().find(|(known, _)| *known == name)?;
    Some(address)
}

/// Returns how a service is connected that was written as the kind of a provider.
fn connection_of(path: &str, written: &str) -> Option<Hint> {
    path.strip_prefix("providers.")?.strip_suffix(".kind")?;
    let address = service_address(&written.to_lowercase())?;
    Some(Hint::SpeaksOpenAi { address })
}

/// Returns the candidate that takes the fewest changes: letters to add, drop or replace, and
/// neighbours to swap. `None` when none is near.
pub(super) fn nearest<'a>(written: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let written = &written.to_lowercase();
    // A third of the word may be wrong: enough for typing mistakes, too little for other words.
    let most = (written.chars().count() / 3).max(1);
    candidates
        .iter()
        .map(|candidate| (osa_distance(written, &candidate.to_lowercase()), *candidate))
        .filter(|(changes, _)| *changes <= most)
        .min_by_key(|(changes, _)| *changes)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, expected: Option<&str>) {
        let candidates = ["autonomy", "routing", "routing_messages", "max_steps"];
        assert_eq!(nearest(written, &candidates), expected, "{written:?}");
    }

    #[test]
    fn typing_mistakes_find_their_word() {
        check("max_step", Some("max_steps"));
        check("autonmy", Some("autonomy"));
        check("maxsteps", Some("max_steps"));
        check("routing_message", Some("routing_messages"));
        check("temperature", None);
        check("", None);
    }

    #[test]
    fn distance_counts_letters() {
        assert_eq!(osa_distance("kitten", "sitting"), 3);
        assert_eq!(osa_distance("", "abc"), 3);
        assert_eq!(osa_distance("abc", ""), 3);
    }

    #[test]
    fn two_letters_that_changed_places_are_one_mistake() {
        assert_eq!(nearest("ture", &["true", "false"]), Some("true"));
    }
}
