//! Who said or did something.

use sayso_channel::{Sender, SenderKey, SenderKind};

use super::raw::{Id, RawMember, RawUser};

/// The longest name that is passed on, in characters.
const NAME_CHARACTERS: usize = 128;

/// Returns who an account is in the place where it spoke.
pub(super) fn sender(
    user: &RawUser,
    member: Option<&RawMember>,
    language: Option<&str>,
) -> Option<Sender> {
    let roles = member.map_or(&[][..], |member| &member.roles);
    Some(Sender {
        key: SenderKey::new(user.id?.0.to_string()),
        name: name(user, member),
        language: language.map(str::to_owned),
        kind: if user.bot == Some(true) {
            SenderKind::Bot
        } else {
            SenderKind::Person
        },
        roles: roles.iter().map(|role| role.0.to_string()).collect(),
        handle: user.username.clone(),
    })
}

/// Returns a stand-in for what Discord does not say: who removed us.
pub(super) fn unknown_actor(server: Id) -> Sender {
    Sender {
        key: SenderKey::new(server.0.to_string()),
        name: String::new(),
        language: None,
        kind: SenderKind::Chat,
        roles: Vec::new(),
        handle: None,
    }
}

/// Returns the name that people see: the one in the server, the one that the person chose, the
/// account's.
pub(super) fn name(user: &RawUser, member: Option<&RawMember>) -> String {
    let nick = member.and_then(|member| member.nick.as_deref());
    let names = [nick, user.global_name.as_deref(), user.username.as_deref()];
    let name = names
        .into_iter()
        .flatten()
        .map(str::trim)
        .find(|name| !name.is_empty());
    name.unwrap_or_default()
        .chars()
        .take(NAME_CHARACTERS)
        .collect()
}
