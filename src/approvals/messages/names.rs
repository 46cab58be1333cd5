//! Names of others in our own texts.

/// Returns a name without anything that could pass for our own formatting.
pub fn plain(name: &str) -> String {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    name.chars()
        .filter(|letter| !is_hidden(*letter) && !"*_`[]<>~|\\".contains(*letter))
        .collect()
}
