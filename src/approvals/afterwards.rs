//! What is done about a card once it is decided: what an "always" gave is taken back, and a request
//! whose card expired is made anew.

use sayso_store::cards::CallVerdict;
use sayso_store::cards::{self, CardRow};
use sayso_store::{StoreError, Tx, usage};

use super::card_view::CardView;
use super::messages;
use super::pressed::{Pressed, Presser};

/// Revokes exactly the grant that a call's "always" gave. A second press changes nothing.
pub(super) async fn take_back(
    tx: &mut Tx,
    card: CardRow,
    token: &str,
    presser: &Presser,
) -> Result<Pressed, StoreError> {
    let calls = cards::calls_of(tx, card.id).await?;
    let given = calls.iter().find(|call| call.token == token);
    let Some((given, grant)) = given.and_then(|call| Some((call, call.grant_id?))) else {
        return Ok(Pressed::refused(messages::unknown(presser.language)));
    };
    if !cards::note_taken_back(tx, token).await? {
        return Ok(Pressed::refused(messages::taken_back_before(
            presser.language,
        )));
    }
    let listed = cards::grants(tx, card.user_id, card.session_id).await?;
    let revoked = listed
        .into_iter()
        .find(|(id, _)| *id == grant)
        .map(|(_, pattern)| pattern);
    cards::revoke(tx, card.user_id, card.session_id, Some(grant)).await?;
    let decided_by = match given.verdict_by {
        Some(user) => usage::name_of(tx, user).await?,
        None => None,
    };
    let told = match &revoked {
        Some(_) => Pressed::echoed(messages::taken_back(presser.language)),
        None => Pressed::told(messages::lapsed(presser.language)),
    };
    let calls = cards::calls_of(tx, card.id).await?;
    Ok(Pressed {
        changed: Some(CardView {
            card,
            calls,
            decided_by,
        }),
        revoked,
        ..told
    })
}

/// Notes that the request of an expired card is made anew. That is for its asker alone, and once:
/// the caller makes the request.
pub(super) async fn ask_again(
    tx: &mut Tx,
    mut card: CardRow,
    presser: &Presser,
) -> Result<Pressed, StoreError> {
    let language = presser.language;
    if card.user_id != presser.user {
        return Ok(Pressed::refused(messages::not_your_request(language)));
    }
    let calls = cards::calls_of(tx, card.id).await?;
    let has_expired = calls
        .iter()
        .any(|call| call.verdict == Some(CallVerdict::Expired));
    if !has_expired {
        return Ok(Pressed::refused(messages::unknown(language)));
    }
    if !cards::note_asked_again(tx, card.id).await? {
        return Ok(Pressed::refused(messages::asks_already(language)));
    }
    card.asked_again = true;
    let again = Some(card.turn_id);
    Ok(Pressed {
        changed: Some(CardView {
            card,
            calls,
            decided_by: None,
        }),
        again,
        ..Pressed::echoed(messages::asks_again(language))
    })
}
