//! `/model`: which model is asked first in a session, within what the operator offers. In a group
//! owners choose, for everybody in it.

use sayso_channel::{ChatKind, Language};
use serde_json::json;

use super::messages;
use crate::audit::Event;
use crate::intake::message::Heard;
use crate::intake::{Door, auditing};
use crate::store::{StoreError, Tx, chats};
use crate::transcript::Role;

/// What is written behind `/model` to follow the configuration again.
const AUTO: [&str; 2] = ["auto", "自动"];

/// Lists the models, or chooses one by its name or its number in the list.
pub async fn run(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    written: &str,
    language: Language,
) -> Result<String, StoreError> {
    let written = written.trim().trim_matches('`');
    let session = chats::session(tx, heard.session).await?;
    let chosen = chosen(door, session.model.as_deref());
    if written.is_empty() {
        return Ok(messages::models(&door.models, chosen, language));
    }
    if heard.inbound.chat_kind == ChatKind::Group && heard.role != Role::Owner {
        return Ok(messages::model_owners_only(language));
    }
    let wanted = if AUTO.contains(&written) {
        None
    } else {
        let Some(model) = named(&door.models, written) else {
            return Ok(messages::model_unknown(written, language));
        };
        Some(model)
    };
    chats::set_model(tx, heard.session, wanted).await?;
    let payload = json!({ "model": wanted.unwrap_or("auto") });
    auditing::command(tx, door, heard, Event::Model, payload).await?;
    Ok(messages::model_chosen(wanted, language))
}

/// Returns the model that a session chose, as long as it is offered.
pub fn chosen<'a>(door: &Door, stored: Option<&'a str>) -> Option<&'a str> {
    stored.filter(|name| door.models.iter().any(|offered| offered == name))
}

/// Returns the model that is meant: by its number, by its whole name, or by the name that it has at
/// its server, where that names one.
fn named<'a>(models: &'a [String], written: &str) -> Option<&'a str> {
    let by_number = written.parse::<usize>().ok();
    let by_number = by_number.and_then(|number| models.get(number.checked_sub(1)?));
    let by_name = || models.iter().find(|model| *model == written);
    if let Some(model) = by_number.or_else(by_name) {
        return Some(model);
    }
    let mut alike = models.iter().filter(|model| {
        model
            .split_once('/')
            .is_some_and(|(_, name)| name == written)
    });
    let model = alike.next()?;
    alike.next().is_none().then_some(model)
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_model_is_named_by_number_or_by_a_name_that_only_it_has() {
        let models = ["main/small", "main/org/large", "spare/small"].map(str::to_owned);
        let check = |written: &str, expected: Option<&str>| {
            assert_eq!(named(&models, written), expected, "{written}");
        };
        check("1", Some("main/small"));
        check("spare/small", Some("spare/small"));
        check("org/large", Some("main/org/large"));
        check("small", None);
        check("0", None);
        check("4", None);
        check("huge", None);
    }
}
