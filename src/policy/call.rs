//! A call before and after a yes: types that cannot be forged.

use sayso_core::Language;
use sayso_core::approval::Approver;
use sayso_core::transcript::{Taint, ToolCall};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::access::{Access, CommandReach, WorkspaceUse};
use super::binding::Binding;
use super::call_facts::{Action, CallFacts, GrantPattern, ToolFacts};
use super::messages::{self, AskReason, CommandReason, FolderOf};

/// What binds an approval: tool, arguments and what was looked up about them, hashed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Digest(String);

impl Digest {
    /// Hashes a call together with what its tool found out about it, how far it would reach, and
    /// who may approve it.
    pub fn of(
        call: &ToolCall,
        facts: &ToolFacts,
        reach: Option<CommandReach>,
        approver: Approver,
    ) -> Self {
        let mut hasher = Sha256::new();
        for field in [
            call.name.as_str(),
            &call.canonical_arguments(),
            &facts_text(facts),
            &facts_text(&reach),
        ] {
            hasher.update((field.len() as u64).to_le_bytes());
            hasher.update(field.as_bytes());
        }
        // What the asker may approve has the digest that it always had.
        match approver {
            Approver::Asker => {}
            Approver::Owner => hasher.update(approver.as_str().as_bytes()),
        }
        Self(format!("{:x}", hasher.finalize()))
    }

    /// Takes a digest that the database kept.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Returns the 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn facts_text(facts: &impl Serialize) -> String {
    serde_json::to_string(facts).unwrap_or_default()
}

/// A call that a person must decide on.
#[derive(Debug, PartialEq)]
pub struct HeldCall {
    call: ToolCall,
    facts: ToolFacts,
    /// Apart, so that a decision stays small.
    asking: Box<Asking>,
}

/// What is asked about a call.
#[derive(Debug, PartialEq)]
struct Asking {
    why: AskReason,
    /// What is said of a command, whatever it is asked for.
    command: Option<CommandReason>,
    reach: Option<CommandReach>,
    approver: Approver,
    offer: Offer,
    taint: Taint,
}

/// What an "always" may cover; `None` where nothing narrow exists.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Offer {
    /// The exact command.
    pub(super) pattern: Option<GrantPattern>,
    /// Commands that begin like it.
    pub(super) prefix: Option<GrantPattern>,
}

impl HeldCall {
    pub(super) fn new(
        call: ToolCall,
        facts: &CallFacts,
        why: AskReason,
        reach: Option<CommandReach>,
    ) -> Self {
        let asking = Asking {
            why,
            command: None,
            reach,
            approver: Approver::Asker,
            offer: Offer::default(),
            taint: facts.taint.clone(),
        };
        Self {
            call,
            facts: facts.tool.clone(),
            asking: Box::new(asking),
        }
    }

    pub(super) fn approved_by(mut self, approver: Approver) -> Self {
        self.asking.approver = approver;
        self
    }

    pub(super) fn offering(mut self, offer: Offer) -> Self {
        self.asking.offer = offer;
        self
    }

    pub(super) fn saying(mut self, command: Option<CommandReason>) -> Self {
        self.asking.command = command;
        self
    }

    /// Returns the call that is held.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns what was looked up about it.
    pub fn facts(&self) -> &ToolFacts {
        &self.facts
    }

    /// Returns everything that a person is shown before they say yes.
    pub fn shown_in(&self, language: Language) -> String {
        let summary = messages::summary_in(&self.facts.summary, language);
        match &self.facts.detail {
            Some(detail) => format!("{summary}\n\n{detail}"),
            None => summary,
        }
    }

    /// Returns who may approve it.
    pub fn approver(&self) -> Approver {
        self.asking.approver
    }

    /// Returns why it is asked about.
    pub fn why(&self) -> &AskReason {
        &self.asking.why
    }

    /// Returns why it is asked about, what does not confine it, and where the untrusted text in view
    /// came from, as the card says it.
    pub fn why_in(&self, language: Language) -> String {
        let command = self
            .command_beside()
            .map(|command| command.for_card(language));
        self.with_reach(
            [Some(self.asking.why.for_people(language)), command],
            language,
        )
    }

    /// Returns the same without a word of the call itself, for a call that holds a secret.
    pub fn why_unquoted_in(&self, language: Language) -> String {
        let (why, command) = match &self.asking.why {
            AskReason::RunsCommand(command) => (None, Some(command)),
            why => (Some(why.in_fixed_words(language)), self.command_beside()),
        };
        let command = command.map(|command| command.for_card_unquoted(language));
        self.with_reach([why, command], language)
    }

    /// Returns what is said of a command beside another reason to ask, which must not hide it.
    fn command_beside(&self) -> Option<&CommandReason> {
        let command = self.asking.command.as_ref();
        command.filter(|_| !matches!(self.asking.why, AskReason::RunsCommand(_)))
    }

    /// Returns the lines of a card below the call: what nothing confines first, then the reasons.
    fn with_reach(&self, why: [Option<String>; 2], language: Language) -> String {
        let reach = self.asking.reach;
        let open = reach.and_then(|reach| messages::open_access(reach, language));
        let unchecked = self
            .may_change_unnoticed()
            .then(|| messages::bullet(messages::unchecked(language), false));
        let in_view = messages::in_view(&self.asking.taint, language);
        let is_said = self.asking.why == AskReason::KeepsRunning;
        let lasting =
            (self.facts.keeps_running() && !is_said).then(|| messages::keeps_running(language));
        let due = match &self.facts.action {
            Action::Schedule(due) => due.as_ref().map(|due| due.in_language(language).to_owned()),
            _ => None,
        };
        let open = open.map(str::to_owned);
        let [why, command] = why;
        [open, why, command, due, lasting, unchecked, in_view]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Returns what confines it, as the footer of its card; `None` where its reasons say that
    /// nothing does.
    pub fn confinement_in(&self, folder: FolderOf, language: Language) -> Option<String> {
        let reach = self.asking.reach?;
        messages::confinement(reach, folder, language)
    }

    /// Returns whether what it runs may change until then without being asked about anew: its
    /// workspace cannot be listed in full, or it may run files elsewhere.
    fn may_change_unnoticed(&self) -> bool {
        let reaches_out = self
            .asking
            .reach
            .is_some_and(|reach| reach.access == Access::System);
        let files = &self.facts.scripts;
        files.iter().any(Binding::is_incomplete)
            || (reaches_out && files.iter().any(Binding::is_whole_workspace))
    }

    /// Returns what an "always" would cover; `None` where no narrow pattern exists.
    pub fn pattern(&self) -> Option<&GrantPattern> {
        self.asking.offer.pattern.as_ref()
    }

    /// Returns what an "always" for calls that begin like it would cover; `None` where there is
    /// no safe prefix.
    pub fn prefix(&self) -> Option<&GrantPattern> {
        self.asking.offer.prefix.as_ref()
    }

    /// Returns what an approval of this call is bound to.
    pub fn digest(&self) -> Digest {
        Digest::of(
            &self.call,
            &self.facts,
            self.asking.reach,
            self.asking.approver,
        )
    }

    pub(super) fn into_call(self) -> ToolCall {
        self.call
    }
}

/// A call that may run, once. The executor takes it by value.
#[derive(Debug)]
pub struct ClearedCall {
    call: ToolCall,
    approved: bool,
    access: Access,
    workspace_use: WorkspaceUse,
    bound_to: Vec<Binding>,
}

impl ClearedCall {
    pub(super) fn allowed(call: ToolCall, access: Access, workspace_use: WorkspaceUse) -> Self {
        Self {
            call,
            approved: false,
            access,
            workspace_use,
            bound_to: Vec::new(),
        }
    }

    pub(super) fn approved(call: ToolCall, access: Access) -> Self {
        Self {
            call,
            approved: true,
            access,
            workspace_use: WorkspaceUse::Changing,
            bound_to: Vec::new(),
        }
    }

    /// Binds it to what was judged on disk.
    pub(super) fn with_bindings(self, facts: &ToolFacts) -> Self {
        Self {
            bound_to: facts.scripts.clone(),
            ..self
        }
    }

    /// Clears a call without a judgement, for the tests of what runs it.
    #[cfg(any(test, feature = "testing"))]
    pub fn for_test(call: ToolCall, access: Access) -> Self {
        Self::allowed(call, access, WorkspaceUse::Changing)
    }

    /// The same with what its tool found out about it.
    #[cfg(any(test, feature = "testing"))]
    pub fn for_test_of(call: ToolCall, facts: &ToolFacts, access: Access) -> Self {
        Self::for_test(call, access).with_bindings(facts)
    }

    /// Returns the files on disk as they were when it was judged.
    pub fn bound_to(&self) -> &[Binding] {
        &self.bound_to
    }

    /// Returns the call that was judged.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns how far it may reach; the executor grants no more.
    pub fn access(&self) -> Access {
        self.access
    }

    /// Returns what a command may do in its workspace; the executor grants no more.
    pub fn workspace_use(&self) -> WorkspaceUse {
        self.workspace_use
    }

    /// Returns whether a person approved it, so that its approval must be used up when it is
    /// called.
    pub fn was_approved(&self) -> bool {
        self.approved
    }
}
