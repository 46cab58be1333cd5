//! What intake says.

use sayso_channel::SenderKind;
use sayso_channel::{Language, text};

use crate::sessions::WhileBusy;

/// Somebody who cannot be seen means us.
pub fn cannot_see(kind: SenderKind, language: Language) -> String {
    match kind {
        SenderKind::Bot => text!(language, "intake-cannot-see-bot").to_owned(),
        SenderKind::Chat | SenderKind::Person => {
            text!(language, "intake-cannot-see-chat-person").to_owned()
        }
    }
}

/// There is no model that could answer.
pub fn no_provider(language: Language) -> String {
    text!(language, "intake-no-provider").to_owned()
}

/// The user already has the maximum number of waiting messages.
pub fn too_much_waits(most: i64, language: Language) -> String {
    text!(language, "intake-too-much-waits", most)
}

/// A message waits for somebody else's turn.
pub fn queued(language: Language) -> String {
    text!(language, "intake-queued").to_owned()
}

/// What joins the turn that runs, where the platform waits for a word.
pub fn joins(language: Language) -> String {
    text!(language, "intake-joins").to_owned()
}

/// A message that ends the turn that runs.
pub fn interrupts(language: Language) -> String {
    text!(language, "intake-interrupts").to_owned()
}

/// A further message that waits, where the platform waits for a word.
pub fn queued_too(language: Language) -> String {
    text!(language, "intake-queued-too").to_owned()
}

/// `/steer`, `/queue` or `/interrupt` without words.
pub fn busy_usage(how: WhileBusy, language: Language) -> String {
    let name = how.as_str();
    let said = match how {
        WhileBusy::Steer => text!(language, "intake-busy-usage-steer"),
        WhileBusy::Queue => text!(language, "intake-busy-usage-queue"),
        WhileBusy::Interrupt => text!(language, "intake-busy-usage-interrupt"),
    };
    text!(language, "intake-busy-usage", name, said)
}

/// A press by somebody whom the door does not let in.
pub fn not_for_strangers(language: Language) -> String {
    text!(language, "intake-not-for-strangers").to_owned()
}
