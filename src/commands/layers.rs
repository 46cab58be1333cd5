//! Commands that answer in two layers: a few lines that everybody understands, and the details
//! behind a button of the same message.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{Role, UserId};
use sayso_store::{StoreError, Tx};

use super::context::CommandContext;
use super::layer::Layer;
use super::list_message::ListMessage;
use super::viewer::Viewer;
use super::{autonomy, menu_for, messages, skills, status, usage};
use crate::intake::{Effects, Pressed, ResolvedMessage};
use crate::prompts::{PressedButton, PromptKind};

/// A command that answers in two layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// `/status`
    Status,
    /// `/usage`
    Usage,
    /// `/autonomy`
    Autonomy,
    /// `/help`
    Help,
    /// `/skills`
    Skills,
}

impl View {
    const ALL: [Self; 5] = [
        Self::Status,
        Self::Usage,
        Self::Autonomy,
        Self::Help,
        Self::Skills,
    ];

    /// Returns the code on buttons.
    const fn code(self) -> &'static str {
        match self {
            Self::Status => "st",
            Self::Usage => "us",
            Self::Autonomy => "au",
            Self::Help => "he",
            Self::Skills => "sk",
        }
    }
}

/// What a button below such an answer carries: `<view>-<layer>-<asker>`, and the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ViewButton {
    message: ListMessage,
    asker: UserId,
    view: View,
    layer: Layer,
}

impl ViewButton {
    fn parse(button: &PressedButton<'_>) -> Option<Self> {
        let mut parts = button.choice.split('-');
        let (view, layer, asker) = (parts.next()?, parts.next()?, parts.next()?);
        let layers = [Layer::Brief, Layer::Details];
        Some(Self {
            message: ListMessage(button.number()?),
            asker: UserId(asker.parse().ok()?),
            view: View::ALL.into_iter().find(|one| one.code() == view)?,
            layer: layers.into_iter().find(|one| one.code() == layer)?,
        })
    }

    fn button(self, language: Language) -> Button {
        let (view, layer) = (self.view.code(), self.layer.code());
        let choice = format!("{view}-{layer}-{}", self.asker.0);
        Button {
            label: messages::layer_button(self.layer, language).to_owned(),
            token: PromptKind::CommandView.button(choice, self.message.0),
            key: None,
            look: ButtonLook::Plain,
        }
    }
}

/// Answers such a command.
pub(super) async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    view: View,
    arguments: &str,
) -> Result<Effects, StoreError> {
    let viewer = Viewer::of_message(heard, ctx.language(&heard.chat.language));
    let message = ListMessage::new();
    let layer = Layer::written(arguments);
    let outbound = rendered(tx, ctx, &viewer, view, layer, message).await?;
    message.say(tx, ctx, heard, outbound).await
}

/// Shows the other layer; `None` when the button was forged. Only who asked may press.
pub(super) async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some(button) = ViewButton::parse(button) else {
        return Ok(None);
    };
    if button.asker != press.user {
        let told = messages::answer_of_others(press.language).to_owned();
        return Ok(Some(Effects::told(told, true)));
    }
    let viewer = Viewer::of_press(press);
    let (view, layer) = (button.view, button.layer);
    let outbound = rendered(tx, ctx, &viewer, view, layer, button.message).await?;
    let said = button.message.show_again(tx, ctx, press, &outbound).await?;
    Ok(Some(Effects::said(said)))
}

/// Writes a layer of an answer, with the button to the other one.
pub(super) async fn rendered(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
    view: View,
    layer: Layer,
    message: ListMessage,
) -> Result<Outbound, StoreError> {
    let language = viewer.language;
    let text = match (view, layer) {
        (View::Status, Layer::Brief) => status::brief(tx, ctx, viewer).await?,
        (View::Status, Layer::Details) => status::details(tx, ctx, viewer).await?,
        (View::Usage, _) => usage::text(tx, ctx, viewer, layer).await?,
        (View::Autonomy, Layer::Brief) => autonomy::brief(tx, ctx, viewer).await?,
        (View::Autonomy, Layer::Details) => autonomy::details(tx, ctx, viewer).await?,
        (View::Help, Layer::Brief) if viewer.role == Role::Guest => {
            messages::guest_help(language).to_owned()
        }
        (View::Help, Layer::Brief) => messages::help(language).to_owned(),
        (View::Help, Layer::Details) => messages::all_commands(&menu_for(viewer.role), language),
        (View::Skills, Layer::Brief) => skills::brief(tx, ctx, viewer).await?,
        (View::Skills, Layer::Details) => skills::details(tx, ctx, viewer).await?,
    };
    let mut buttons = Vec::new();
    if view == View::Autonomy && layer == Layer::Brief {
        buttons.extend(autonomy::buttons(tx, ctx, viewer, message).await?);
    }
    let other = ViewButton {
        message,
        asker: viewer.user,
        view,
        layer: match layer {
            Layer::Brief => Layer::Details,
            Layer::Details => Layer::Brief,
        },
    };
    buttons.push(vec![other.button(language)]);
    Ok(Outbound {
        buttons,
        ..Outbound::markdown(text)
    })
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::{Layer, ListMessage, PressedButton, UserId, View, ViewButton};

    #[test]
    fn a_button_is_read_back_and_fits() {
        for view in View::ALL {
            for layer in [Layer::Brief, Layer::Details] {
                let button = ViewButton {
                    message: ListMessage(i64::MAX),
                    asker: UserId(i64::MAX),
                    view,
                    layer,
                };
                let data = button.button(Language::English).token;
                assert!(data.len() <= 64, "{data}");
                let read = ViewButton::parse(&PressedButton::parse(&data).unwrap());
                assert_eq!(read, Some(button));
            }
        }
    }
}
