//! The `config` tool: owners read the configuration, change a few keys of it, and undo that.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{Role, Scope, ToolCall, ToolOutcome, ToolSpec, UserId};
use sayso_policy::{Action, ClearedCall, Summary, ToolFacts};
use sayso_store::changed_settings::{self, ChangedSetting};
use sayso_store::{Store, StoreError};
use sayso_tools::{SchemaVisibility, Tool, ToolContext, parse_arguments, spec_of};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Change, Operated, changes_of};

/// Words that speak for it in a request.
const HINTS: [&str; 8] = [
    "config",
    "configuration",
    "configure",
    "setting",
    "settings",
    "配置",
    "设置",
    "设定",
];

/// When a change takes effect.
const FROM_WHEN: &str = "It takes effect when Sayso is started next.";

/// Reads and changes the configuration.
pub struct ConfigTool {
    spec: ToolSpec,
    operated: Arc<dyn Operated>,
    store: Store,
    /// The changes that this process was started with.
    in_force: Vec<Change>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    action: Wanted,
    /// A dotted key, such as `agent.routing`; to show, also how one begins.
    key: Option<String>,
    /// The new value, for `set`.
    value: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Wanted {
    Show,
    Set,
    Undo,
}

/// A call whose arguments are in order.
enum Step {
    Show(String),
    Set(Change),
    Undo(Option<String>),
}

/// What a step would change.
struct Deed {
    key: String,
    before: String,
    after: String,
    does: Does,
}

enum Does {
    Change(Change),
    Undo(ChangedSetting),
}

impl Deed {
    fn in_words(&self) -> String {
        let Self {
            key, before, after, ..
        } = self;
        format!("{key}: {before} → {after}")
    }
}

impl ConfigTool {
    /// The name of the tool.
    pub const NAME: &'static str = "config";

    /// Returns the tool of a process that was started with these changes in force.
    pub fn new(operated: Arc<dyn Operated>, store: Store, in_force: Vec<Change>) -> Self {
        let description = "For owners: shows the configuration (of secrets only that they are \
            set), sets one of the few keys that may be changed in chat, or undoes the last change.";
        Self {
            spec: spec_of::<Arguments>(Self::NAME, description),
            operated,
            store,
            in_force,
        }
    }

    /// Reads a call of somebody who may make it.
    fn step(&self, call: &ToolCall, role: Role) -> Result<Step, ToolOutcome> {
        if role != Role::Owner {
            return Err(ToolOutcome::denied(
                "the configuration is shown to and changed by owners of this Sayso alone",
            ));
        }
        let Arguments { action, key, value } = parse_arguments(call, &self.spec)?;
        let key = key.map(|key| key.trim().to_owned());
        match (action, key, value) {
            (Wanted::Show, key, _) => Ok(Step::Show(key.unwrap_or_default())),
            (Wanted::Set, Some(key), Some(value)) => Ok(Step::Set((key, value.trim().to_owned()))),
            (Wanted::Set, _, _) => Err(ToolOutcome::invalid("`set` needs `key` and `value`")),
            (Wanted::Undo, key, _) => Ok(Step::Undo(key)),
        }
    }

    async fn rows(&self) -> Result<Vec<ChangedSetting>, ToolOutcome> {
        changed_settings::standing(self.store.reader())
            .await
            .map_err(|error| failed(&error))
    }

    /// Works out what a change or its undoing comes to.
    async fn deed(&self, does: Step) -> Result<Deed, ToolOutcome> {
        let rows = self.rows().await?;
        let before = changes_of(&rows);
        match does {
            Step::Show(_) => Err(ToolOutcome::invalid("`show` changes nothing")),
            Step::Set(change) => {
                self.operated
                    .judge(&before, &change.0, &change.1)
                    .map_err(|why| ToolOutcome::invalid(why.to_string()))?;
                let after = [before.clone(), vec![change.clone()]].concat();
                self.between(&change.0.clone(), &before, &after, Does::Change(change))
            }
            Step::Undo(key) => {
                let wanted = |row: &&ChangedSetting| key.as_ref().is_none_or(|key| row.key == *key);
                let Some(last) = rows.iter().rfind(wanted) else {
                    return Err(ToolOutcome::invalid("there is no such change to undo"));
                };
                let others = rows.iter().filter(|row| row.id != last.id).cloned();
                let after = changes_of(&others.collect::<Vec<_>>());
                self.between(&last.key, &before, &after, Does::Undo(last.clone()))
            }
        }
    }

    fn between(
        &self,
        key: &str,
        before: &[Change],
        after: &[Change],
        does: Does,
    ) -> Result<Deed, ToolOutcome> {
        let value_under = |changes: &[Change]| {
            let values = self.operated.values(changes).into_iter();
            let value = values
                .filter(|(name, _)| name == key)
                .find_map(|(_, value)| value);
            value.unwrap_or_default()
        };
        let (before, after) = (value_under(before), value_under(after));
        if before == after && matches!(does, Does::Change(_)) {
            return Err(ToolOutcome::invalid(format!("`{key}` is {before} already")));
        }
        Ok(Deed {
            key: key.to_owned(),
            before,
            after,
            does,
        })
    }

    /// Returns the keys that begin so, with what they are now and will be from the next start on.
    async fn report(&self, beginning: &str) -> Result<String, ToolOutcome> {
        let next = self.operated.values(&changes_of(&self.rows().await?));
        let now = self.operated.values(&self.in_force);
        let changeable = self.operated.changeable();
        let mut lines = Vec::new();
        for (key, value) in now.iter().filter(|(key, _)| key.starts_with(beginning)) {
            let shown = value.as_deref().unwrap_or("(a secret, which is set)");
            let then = next.iter().find(|(name, _)| name == key);
            let changed = then
                .and_then(|(_, later)| later.as_deref())
                .filter(|later| value.as_deref() != Some(later));
            let later = match changed {
                Some(later) => format!(" (from the next start on: {later})"),
                None => String::new(),
            };
            let mark = if changeable.contains(&key.as_str()) {
                " [may be changed in chat]"
            } else {
                ""
            };
            lines.push(format!("{key} = {shown}{later}{mark}"));
        }
        if lines.is_empty() {
            return Err(ToolOutcome::invalid(format!(
                "no key that is set begins with `{beginning}`"
            )));
        }
        Ok(lines.join("\n"))
    }

    async fn do_it(&self, step: Step, user: UserId) -> Result<String, ToolOutcome> {
        let deed = match step {
            Step::Show(beginning) => return self.report(&beginning).await,
            Step::Set(_) | Step::Undo(_) => self.deed(step).await?,
        };
        let words = deed.in_words();
        let done = self.store.write(move |tx| {
            Box::pin(async move {
                match deed.does {
                    Does::Change((key, value)) => {
                        changed_settings::change(tx, user, &key, &value).await?;
                        Ok(true)
                    }
                    Does::Undo(row) => changed_settings::undo(tx, user, row.id).await,
                }
            })
        });
        if done.await.map_err(|error| failed(&error))? {
            tracing::info!(%user, "configuration changed by an owner");
            Ok(format!("{words}\n{FROM_WHEN} `undo` takes it back."))
        } else {
            Err(ToolOutcome::not_run("it was undone before"))
        }
    }
}

/// The reason is for the operator.
fn failed(error: &StoreError) -> ToolOutcome {
    tracing::error!(%error, "cannot read or write configuration changes");
    ToolOutcome::not_run("the configuration cannot be reached at the moment; tell the user")
}

#[async_trait]
impl Tool for ConfigTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let step = self.step(call, scope.role)?;
        let (summary, detail, action) = match step {
            Step::Show(_) => ("config: show".into(), None, Action::Internal),
            Step::Set(_) | Step::Undo(_) => {
                let deed = self.deed(step).await?;
                let key = deed.key.clone();
                let summary = match deed.does {
                    Does::Change(_) => Summary::SetKey(key),
                    Does::Undo(_) => Summary::RestoreKey(key),
                };
                let detail = deed.in_words();
                (summary, Some(detail), Action::Configure)
            }
        };
        Ok(ToolFacts {
            summary,
            detail,
            action,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let step = match self.step(call.call(), context.scope.role) {
            Ok(step) => step,
            Err(refusal) => return refusal,
        };
        match self.do_it(step, context.scope.user).await {
            Ok(output) => ToolOutcome::Success { output },
            Err(outcome) => outcome,
        }
    }
}
