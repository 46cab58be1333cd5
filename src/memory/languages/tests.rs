//! Which languages texts are taken to be in, and which words are forms of one.

use super::super::bigrams::spelled_runs;
use super::{AMONG, Beginning, CODES, LATIN, LETTERS, Language, Languages, STOP_WORDS, stem};

fn languages(text: &str) -> Languages {
    Languages::of_runs(text, &spelled_runs(text))
}

#[track_caller]
fn check_decided(text: &str, expected: &[Language]) {
    let found = languages(text);
    let found: Vec<Language> = LATIN.into_iter().filter(|it| found.has(*it)).collect();
    assert_eq!(found, expected, "{text}");
    assert!(languages(text).is_decided(), "{text}");
}

#[test]
fn chat_u7_two_stop_words_decide_a_language() {
    check_decided("Unsere Katze frisst nur Huhn", &[Language::German]);
    check_decided("Wo wohnt meine Schwester?", &[Language::German]);
    check_decided("¿Dónde vive mi hermana?", &[Language::Spanish]);
    check_decided("Où habite ma sœur ?", &[Language::French]);
    check_decided("Dove abita mia sorella?", &[Language::Italian]);
    check_decided("Onde mora a minha irmã?", &[Language::Portuguese]);
    check_decided("Waar woont mijn zus?", &[Language::Dutch]);
    check_decided("Vart reser vår syster?", &[Language::Swedish]);
    check_decided("Kız kardeşim nerede oturuyor?", &[Language::Turkish]);
    check_decided("Missä minun siskoni asuu?", &[Language::Finnish]);
    check_decided("Gdzie mieszka moja siostra?", &[Language::Polish]);
    let near = [Language::Swedish, Language::Danish, Language::Norwegian];
    check_decided("Var bor min syster?", &near);
    check_decided("Where does my sister live?", &[Language::English]);
}

#[test]
fn chat_u7_one_stop_word_decides_nothing() {
    for text in [
        "The door",
        "door",
        "Rex likes long walks",
        "Was fressen Katzen?",
    ] {
        assert!(!languages(text).is_decided(), "{text}");
        assert!(languages(text).has(Language::English), "{text}");
    }
    assert!(!languages("door").is_stop_word("door"));
}

#[test]
fn chat_u7_english_with_foreign_words_stays_english() {
    check_decided("Anna is in Den Haag with de Vries", &[Language::English]);
    check_decided(
        "The man was in the van and die Katze too",
        &[Language::English],
    );
    check_decided("What does my cat eat?", &[Language::English]);
}

#[test]
fn chat_u7_a_script_decides_for_its_words() {
    let found = languages("Мою кошку зовут Murka");
    assert!(found.of_word("кошку").is_decided());
    assert!(found.of_word("кошку").but_english().eq([Language::Russian]));
    assert!(!found.of_word("murka").is_decided());
    assert!(found.is_stop_word("мою"));
    assert!(!found.is_stop_word("кошку"));
    assert!(found.of_word("γατα").but_english().eq([Language::Greek]));
    assert!(found.of_word("4711") == Languages::default());
}

#[track_caller]
fn check_stem(language: Language, forms: &[&str]) {
    let stems: Vec<_> = forms.iter().map(|form| stem(language, form)).collect();
    assert!(stems[0].is_some(), "{forms:?}");
    assert!(
        stems.iter().all(|it| *it == stems[0]),
        "{forms:?} {stems:?}"
    );
}

#[test]
fn chat_u7_forms_of_a_word_have_one_stem() {
    check_stem(
        Language::Russian,
        &["кошка", "кошке", "Кошку", "кошкой", "кошки"],
    );
    check_stem(Language::Russian, &["чёрный", "черного", "чёрные"]);
    check_stem(Language::German, &["Katze", "Katzen"]);
    check_stem(Language::German, &["Häuser", "Häusern", "Ha\u{308}user"]);
    check_stem(Language::Spanish, &["gato", "gatos", "gata"]);
    check_stem(Language::French, &["mange", "manger", "mangé"]);
    check_stem(Language::Swedish, &["katt", "katten", "katter", "katterna"]);
    check_stem(Language::Turkish, &["kedi", "kediler", "kedim"]);
    assert_eq!(stem(Language::Polish, "kota"), None);
}

#[test]
fn chat_u7_words_that_are_spelt_alike_are_told_from_others() {
    let like = |word: &str, other: &str| Beginning::of(word).is_some_and(|it| it.is_like(other));
    for (word, other) in [
        ("kota", "kotem"),
        ("siostra", "siostry"),
        ("katzen", "katze"),
    ] {
        assert!(like(word, other), "{word} {other}");
    }
    for (word, other) in [
        ("house", "horse"),
        ("gato", "gather"),
        ("cat", "cats"),
        ("2024", "2025"),
    ] {
        assert!(!like(word, other), "{word} {other}");
    }
}

#[test]
fn chat_u7_every_language_of_the_list_has_stop_words() {
    for (code, language) in CODES {
        let known = STOP_WORDS.values().filter(|it| it.has(language)).count();
        assert!(known >= 50, "{code}: {known}");
    }
}

#[test]
fn letters_that_few_languages_have_are_where_they_are_looked_for() {
    let letters = LETTERS.iter().flat_map(|(letters, _)| letters.chars());
    assert_eq!(letters.filter(|letter| !AMONG.contains(letter)).count(), 0);
}
