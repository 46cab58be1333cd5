//! The messages whose buttons can still be pressed, and which line presses which.

use sayso_channel::{Button, ButtonLook, MessageKey, Press};

/// More open cards than this are not kept; the oldest can no longer be pressed by a key.
const MOST_OPEN: usize = 64;

/// Open cards, the newest last.
#[derive(Debug, Default)]
pub(crate) struct Cards(Vec<Card>);

#[derive(Debug)]
struct Card {
    message: MessageKey,
    buttons: Vec<Button>,
}

impl Cards {
    /// Takes over how a message looks now: new buttons, other buttons, or none.
    pub(crate) fn show(&mut self, message: &MessageKey, rows: &[Vec<Button>]) {
        let buttons: Vec<Button> = rows.iter().flatten().cloned().collect();
        let place = self.0.iter().position(|card| card.message == *message);
        match (place, buttons.is_empty()) {
            (Some(place), true) => {
                self.0.remove(place);
            }
            (Some(place), false) => self.0[place].buttons = buttons,
            (None, true) => {}
            (None, false) => self.open(Card {
                message: message.clone(),
                buttons,
            }),
        }
    }

    fn open(&mut self, card: Card) {
        if self.0.len() == MOST_OPEN {
            self.0.remove(0);
        }
        self.0.push(card);
    }

    /// Returns whether nothing can be pressed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a line as a press of the newest card that it fits, and closes that card.
    pub(crate) fn press(&mut self, line: &str) -> Option<Press> {
        let line = line.trim();
        let (place, token) = match line {
            "" => self.decline_newest()?,
            _ => self.find(line)?,
        };
        let card = self.0.remove(place);
        Some(Press {
            token,
            message: Some(card.message),
        })
    }

    /// An empty line means no: the capital letter of `[y/N]`.
    fn decline_newest(&self) -> Option<(usize, String)> {
        let card = self.0.last()?;
        let mut buttons = card.buttons.iter();
        let button = buttons.find(|button| button.look == ButtonLook::No)?;
        Some((self.0.len() - 1, button.token.clone()))
    }

    fn find(&self, line: &str) -> Option<(usize, String)> {
        let cards = self.0.iter().enumerate().rev();
        let mut found = cards.filter_map(|(place, card)| {
            let button = button_for(&card.buttons, line)?;
            Some((place, button.token.clone()))
        });
        found.next()
    }
}

/// Finds a button by its key, its number as people count, or what it says.
fn button_for<'a>(buttons: &'a [Button], line: &str) -> Option<&'a Button> {
    let by_key = buttons
        .iter()
        .find(|button| button.key.is_some_and(|key| presses(line, key)));
    let by_number = || buttons.get(line.parse::<usize>().ok()?.checked_sub(1)?);
    let by_label = || {
        let mut buttons = buttons.iter();
        buttons.find(|button| is_same(line, &button.label) || is_same(line, words(&button.label)))
    };
    by_key.or_else(by_number).or_else(by_label)
}

/// A key is pressed by its letter, and yes and no also in full.
fn presses(line: &str, key: char) -> bool {
    let spelled: &[&str] = match key {
        'y' => &["yes", "是"],
        'n' => &["no", "否"],
        _ => &[],
    };
    is_same(line, &key.to_string()) || spelled.iter().any(|word| is_same(line, word))
}

fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.trim().to_lowercase()
}

/// Returns a label without the sign in front of it: "✅ Approve" is "Approve" to a person.
fn words(label: &str) -> &str {
    label.trim_start_matches(|letter: char| !letter.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use sayso_channel::{Button, ButtonLook, MessageKey};

    use super::Cards;

    fn button(label: &str, key: Option<char>, look: ButtonLook) -> Button {
        Button {
            label: label.to_owned(),
            token: format!("token of {label}"),
            key,
            look,
        }
    }

    /// An older choice of two, and a newer approval.
    fn cards() -> Cards {
        let mut cards = Cards::default();
        let choice = vec![vec![
            button("today", None, ButtonLook::Plain),
            button("tomorrow", None, ButtonLook::Plain),
        ]];
        let approval = vec![
            vec![button("✅ Approve", Some('y'), ButtonLook::Yes)],
            vec![button("Deny", Some('n'), ButtonLook::No)],
        ];
        cards.show(&MessageKey::new("choice"), &choice);
        cards.show(&MessageKey::new("approval"), &approval);
        cards
    }

    #[track_caller]
    fn check(line: &str, pressed: Option<&str>) {
        let press = cards().press(line);
        let token = press.map(|press| press.token);
        let expected = pressed.map(|label| format!("token of {label}"));
        assert_eq!(token, expected, "{line:?}");
    }

    #[test]
    fn a_line_presses_by_key_number_or_label_and_the_newest_card_first() {
        check("y", Some("✅ Approve"));
        check(" Y ", Some("✅ Approve"));
        check("approve", Some("✅ Approve"));
        check("N", Some("Deny"));
        check("", Some("Deny"));
        check("2", Some("Deny"));
        check("Tomorrow", Some("tomorrow"));
        check("3", None);
        check("0", None);
        check("yes please", None);
    }

    #[test]
    fn a_card_is_pressed_once() {
        let mut cards = cards();
        assert!(cards.press("y").is_some());
        assert_eq!(cards.press("y"), None);
        assert_eq!(cards.press(""), None, "a choice has no button for no");
        assert!(cards.press("1").is_some());
        assert!(cards.is_empty());
    }

    #[test]
    fn an_edit_without_buttons_closes_the_card() {
        let mut cards = cards();
        cards.show(&MessageKey::new("approval"), &[]);
        assert_eq!(cards.press("y"), None);
    }
}
