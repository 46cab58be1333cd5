//! Slash commands: what was announced, for the menu and for whoever hears a command without its argument.

use std::sync::{Arc, PoisonError, RwLock};

use sayso_channel::Command;

/// The commands that were announced. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Menu(Arc<RwLock<Vec<Command>>>);

impl Menu {
    /// Returns the announced command of a name; none before anything was announced.
    pub(crate) fn command(&self, name: &str) -> Option<Command> {
        let commands = self.0.read().unwrap_or_else(PoisonError::into_inner);
        commands
            .iter()
            .find(|command| command.name == name)
            .cloned()
    }

    fn keep(&self, commands: &[Command]) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = commands.to_vec();
    }
}
