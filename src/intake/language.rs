//! In which language a person is answered: what they chose, else the script of what they write,
//! else what their client reports, else that of the instance. A group has the language of the last
//! clear words in it, and a person in it their own.

use sayso_channel::{ChatKind, HeardMessage, Inbound, Language};
use sayso_core::transcript::UserId;
use sayso_store::chats::ChatRow;
use sayso_store::languages::{self, LanguageRow};
use sayso_store::{StoreError, Tx};

use super::script::Written;

/// Returns the language in which a message is written. A command says nothing of it.
pub fn written_in(message: &HeardMessage) -> Option<Written> {
    match message.command {
        Some(_) => None,
        None => Written::of(&message.text),
    }
}

/// Notes what an event says of the language of its person. From here on, `chat` has the language in
/// which they are answered.
pub async fn follow(
    tx: &mut Tx,
    inbound: &Inbound,
    user: UserId,
    known: LanguageRow,
    written: Option<Written>,
    chat: &mut ChatRow,
) -> Result<(), StoreError> {
    if let (ChatKind::Group, Some(Written::Clear(language))) = (chat.kind, written) {
        note(tx, chat, language).await?;
    }
    let now = LanguageRow {
        chosen: known.chosen.clone(),
        written: match written {
            Some(Written::Clear(language)) => Some(language.code().to_owned()),
            Some(Written::Hint(language)) => {
                let hint = || Some(language.code().to_owned());
                known.written.clone().or_else(hint)
            }
            None => known.written.clone(),
        },
        client: client_of(inbound).or_else(|| known.client.clone()),
    };
    if now != known {
        languages::set(tx, user, &now).await?;
    }
    if let Some(language) = now.language()
        && language != chat.language
    {
        if chat.kind == ChatKind::Direct {
            languages::set_of_chat(tx, chat.id, language).await?;
        }
        language.clone_into(&mut chat.language);
    }
    Ok(())
}

/// Notes the language of a chat whose speaker is no user: overheard, or a stranger's. Of a direct
/// chat, from here on `chat` has the language in which the stranger is answered.
pub async fn follow_stranger(
    tx: &mut Tx,
    inbound: &Inbound,
    written: Option<Written>,
    chat: &mut ChatRow,
) -> Result<(), StoreError> {
    let language = match (chat.kind, written) {
        (_, Some(Written::Clear(language))) | (ChatKind::Direct, Some(Written::Hint(language))) => {
            language
        }
        (ChatKind::Direct, None) if chat.language.is_empty() => {
            let Some(client) = client_of(inbound) else {
                return Ok(());
            };
            Language::nearest(&client)
        }
        (ChatKind::Direct, None) | (ChatKind::Group, Some(Written::Hint(_)) | None) => {
            return Ok(());
        }
    };
    note(tx, chat, language).await
}

async fn note(tx: &mut Tx, chat: &mut ChatRow, language: Language) -> Result<(), StoreError> {
    if chat.language != language.code() {
        languages::set_of_chat(tx, chat.id, language.code()).await?;
        language.code().clone_into(&mut chat.language);
    }
    Ok(())
}

/// Returns the language that the platform's client reports.
pub fn client_of(inbound: &Inbound) -> Option<String> {
    let reported = inbound.sender.language.as_deref()?;
    Some(Language::nearest(reported).code().to_owned())
}
