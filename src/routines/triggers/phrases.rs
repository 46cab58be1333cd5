//! Whether words are in a message: letters count the same in either case, and a word of an alphabet
//! stands by itself. Chinese has no spaces between words, so there it is found anywhere.

/// Returns a phrase in one line, with single spaces.
pub fn in_one_line(phrase: &str) -> String {
    phrase.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a phrase says anything: two letters or digits, or one Chinese character.
pub fn can_be_sought(phrase: &str) -> bool {
    let letters = phrase.chars().filter(|it| it.is_alphanumeric()).count();
    letters >= 2 || phrase.chars().any(is_without_spaces)
}

/// Returns whether one of the phrases is in a text.
pub fn is_any_in(phrases: &[String], text: &str) -> bool {
    let text = folded(text);
    phrases.iter().any(|phrase| is_in(&folded(phrase), &text))
}

fn folded(text: &str) -> String {
    in_one_line(&text.to_lowercase())
}

fn is_in(phrase: &str, text: &str) -> bool {
    let (Some(first), Some(last)) = (phrase.chars().next(), phrase.chars().next_back()) else {
        return false;
    };
    let is_apart =
        |edge: char, beside: Option<char>| !(is_of_word(edge) && beside.is_some_and(is_of_word));
    text.char_indices().any(|(at, _)| {
        let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix(phrase)) else {
            return false;
        };
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        is_apart(first, before) && is_apart(last, rest.chars().next())
    })
}

/// Whether a letter belongs to a word that spaces end.
fn is_of_word(letter: char) -> bool {
    (letter.is_alphanumeric() || letter == '_') && !is_without_spaces(letter)
}

/// Whether a letter is of a script that has no spaces between words: Chinese characters, kana.
fn is_without_spaces(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests {
    use super::is_any_in;

    #[track_caller]
    fn check(phrase: &str, text: &str, is_there: bool) {
        assert_eq!(
            is_any_in(&[phrase.to_owned()], text),
            is_there,
            "{phrase} in {text}"
        );
    }

    #[test]
    fn words_of_an_alphabet_stand_by_themselves() {
        check("deploy failed", "The DEPLOY  failed, again", true);
        check("deploy failed", "deploy\nfailed", true);
        check("fire", "Fire!", true);
        check("fire", "firewall", false);
        check("fire", "a ceasefire, then fire", true);
        check("fire", "on_fire", false);
        check("c++", "we use C++ here", true);
        check("c++", "c++11", true);
        check("straße", "STRASSE", false);
        check("über", "ÜBER alles", true);
    }

    #[test]
    fn chinese_is_found_anywhere() {
        check("着火", "机房着火了", true);
        check("着火", "火着了", false);
        check("fire", "机房fire了", true);
        check("部署失败", "今天的部署失败了两次", true);
    }
}
