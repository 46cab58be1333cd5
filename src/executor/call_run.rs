//! The calls of one turn, as a driver has them done: judged, run, held, refused or recovered.

use sayso_core::approval::Approver;
use sayso_core::transcript::{
    CallId, CallProgress, Entry, FileBefore, Owner, Returned, Role, Taint, ToolCall, ToolOutcome,
    Treated, TurnId, TurnOutcome, TurnState, UserId, Verdict, with_known_checks,
};
use sayso_policy::{CallFacts, ClearedCall, Decision, HeldCall, WorkspaceUse};
use sayso_tools::{CallContext, FilesBefore, ToolRun};
use tokio_util::sync::CancellationToken;

use super::ports::{CallEvent, CallEvents, CallJournal, JournalError};
use super::tracked_workspace::WorkspaceTracking;
use super::{ExecutionContext, Executor, MayAsk, call_facts, messages};

/// How many calls one card lists: each has two buttons of its own, and platforms have limits
/// (Telegram 100, Discord 25 in five rows). Calls beyond it wait for a further card, unasked.
const CARD_CALLS: usize = 8;

/// Why a call does not run now.
enum NotCleared {
    /// A person must decide.
    Held(Box<HeldCall>),
    /// It has its result already.
    Answered(ToolOutcome),
}

/// The calls of one turn, and what they are done with.
pub struct CallRun<'a> {
    /// The tools and the rules.
    pub executor: &'a Executor,
    /// For whom, where and on which terms.
    pub context: &'a ExecutionContext,
    /// The earlier turns that are in view, where a model makes the calls.
    pub in_view: &'a [TurnId],
    /// What the turn has come to.
    pub state: &'a mut TurnState,
    /// Its journal.
    pub journal: &'a mut dyn CallJournal,
    /// Who observes the calls.
    pub events: &'a dyn CallEvents,
    /// Cancelled when the turn is stopped.
    pub stop: &'a CancellationToken,
}

impl CallRun<'_> {
    /// Judges a call, and runs it, asks for it or refuses it.
    pub async fn judge(&mut self, id: &CallId) -> Result<(), JournalError> {
        let Some(state) = self.state.call(id) else {
            return Ok(());
        };
        let call = state.call.clone();
        let was_approved = matches!(
            state.progress,
            CallProgress::Decided(Verdict::Approved { .. })
        );
        if !was_approved && let Some(repetition) = self.state.repeats.judge(&call) {
            let turn = self.context.scope.turn;
            tracing::info!(%turn, tool = call.name, ?repetition, "tool call blocked by the loop guard");
            let kept = messages::repeated(&call.name, repetition, self.context.language);
            return self.return_result(call.id, ToolRun::ours(kept)).await;
        }
        match self.decide(&call, was_approved).await? {
            Ok((cleared, facts)) => self.start(cleared, facts, was_approved).await,
            Err(kept) => self.keep(call.id, kept).await,
        }
    }

    /// Judges a call by what is so now.
    async fn decide(
        &mut self,
        call: &ToolCall,
        was_approved: bool,
    ) -> Result<Result<(ClearedCall, CallFacts), NotCleared>, JournalError> {
        let facts = match self.facts(call).await? {
            Ok(facts) => facts,
            Err(outcome) => return Ok(Err(NotCleared::Answered(outcome))),
        };
        let mut decision = self.executor.policy.decide(call.clone(), &facts);
        if was_approved && let Decision::Ask(held) = decision {
            decision = match self.journal.approved(&call.id).await? {
                Some(approved) => self.executor.policy.clear(held, &approved, &facts),
                None => Decision::Ask(held),
            };
        }
        Ok(match decision {
            Decision::Allow(cleared) => Ok((cleared, facts)),
            Decision::Ask(held) => Err(NotCleared::Held(Box::new(held))),
            Decision::Deny { why } => {
                let denied = messages::denied(&why, self.context.language);
                Err(NotCleared::Answered(denied))
            }
        })
    }

    /// Runs a call that was cleared. While it waits for its workspace, another turn may change what
    /// it runs, so a call that depends on that is judged again once it is in there.
    async fn start(
        &mut self,
        cleared: ClearedCall,
        facts: CallFacts,
        was_approved: bool,
    ) -> Result<(), JournalError> {
        let tracking = self.enter(&cleared, &facts).await?;
        let depends_on_files =
            cleared.workspace_use() == WorkspaceUse::Changing && !facts.tool.scripts.is_empty();
        if !depends_on_files {
            return self.execute(cleared, &facts, tracking).await;
        }
        let call = cleared.call().clone();
        match self.decide(&call, was_approved).await? {
            Ok((cleared, facts)) => self.execute(cleared, &facts, tracking).await,
            Err(kept) => self.keep(call.id, kept).await,
        }
    }

    /// Requests approval for a held call, or records the result of one that is answered without
    /// running.
    async fn keep(&mut self, id: CallId, kept: NotCleared) -> Result<(), JournalError> {
        match kept {
            NotCleared::Held(held) => self.hold(*held).await,
            NotCleared::Answered(outcome) => self.return_result(id, ToolRun::ours(outcome)).await,
        }
    }

    async fn execute(
        &mut self,
        cleared: ClearedCall,
        facts: &CallFacts,
        tracking: WorkspaceTracking,
    ) -> Result<(), JournalError> {
        let id = cleared.call().id.clone();
        let workspace = &self.context.scope.workspace;
        let found = self.executor.tools.before(&cleared, workspace).await;
        let own = matches!(tracking, WorkspaceTracking::Own(_));
        let before = found
            .into_iter()
            .map(|file| FileBefore { own, ..file })
            .collect();
        let (tools, scope) = (&self.executor.tools, &self.context.scope);
        // Apart, so that the future of a turn stays small.
        let files_before = Box::pin(tools.files_before(&cleared, scope)).await;
        match self.journal.call(&cleared, before).await {
            Err(JournalError::NotApproved) => {
                let why = "the approval of this call was used or withdrawn";
                return self
                    .return_result(id, ToolRun::ours(ToolOutcome::denied(why)))
                    .await;
            }
            Err(JournalError::Unaudited(error)) => {
                tracing::error!(turn = %self.context.scope.turn, error, "tool call not run: its audit record cannot be written");
                let why = messages::unaudited(self.context.language).to_owned();
                let retry = false;
                return self.finish(TurnOutcome::Failed { why, retry }).await;
            }
            other => other?,
        }
        self.state.apply(&Entry::Called { call: id.clone() });
        let running = messages::running_line(cleared.call(), self.context.language);
        self.events.call(CallEvent::Shown(id.clone(), running));
        let call_context = self.call_context(facts);
        let mut ran = tools.run(cleared, &call_context).await;
        self.leave(tracking, &mut ran).await?;
        if let Some(files) = files_before {
            Box::pin(self.keep_changes(&id, files, &mut ran.outcome)).await?;
        }
        if let Some(instead) = self.not_passed_on(&ran.outcome) {
            ran.outcome = instead;
        }
        self.return_result(id, ran).await
    }

    /// Returns around what a call runs.
    fn call_context(&self, facts: &CallFacts) -> CallContext {
        CallContext {
            scope: self.context.scope.clone(),
            stop: self.stop.clone(),
            // What is remembered of the person's own words holds nothing else that was in view.
            taint: if facts.is_in_own_words() {
                Taint::default()
            } else {
                self.state.taint.clone()
            },
            in_view: self.in_view.to_vec(),
            language: self.context.language,
        }
    }

    /// Keeps what files were that a command changed. Where not all of it can be put back, its result
    /// says so.
    async fn keep_changes(
        &mut self,
        call: &CallId,
        before: FilesBefore,
        outcome: &mut ToolOutcome,
    ) -> Result<(), JournalError> {
        let changes = before.changes().await;
        if changes.is_partial {
            messages::say_not_undoable(outcome);
        }
        if changes.files.is_empty() {
            return Ok(());
        }
        self.journal.keep_changes(call, changes.files).await
    }

    /// Returns the result in place of one that would do something in the chat which it cannot.
    fn not_passed_on(&self, outcome: &ToolOutcome) -> Option<ToolOutcome> {
        let most = self.context.largest_file;
        match outcome {
            ToolOutcome::Sends { file } if file.bytes > most => {
                Some(messages::file_too_large(file, most))
            }
            ToolOutcome::Asks { .. } if self.context.terms.may_ask != MayAsk::Person => {
                Some(messages::no_one_answers(self.context.language))
            }
            ToolOutcome::Sends { .. }
            | ToolOutcome::Asks { .. }
            | ToolOutcome::Plans { .. }
            | ToolOutcome::Checked { .. }
            | ToolOutcome::Success { .. }
            | ToolOutcome::Failed { .. }
            | ToolOutcome::Error { .. }
            | ToolOutcome::Unknown { .. }
            | ToolOutcome::Denied { .. } => None,
        }
    }

    /// Holds a call together with the calls behind it that would be asked about too, as many as
    /// one card lists.
    async fn hold(&mut self, first: HeldCall) -> Result<(), JournalError> {
        let mut held = vec![first];
        let others: Vec<ToolCall> = self
            .state
            .calls
            .iter()
            .filter(|state| state.progress == CallProgress::Waiting)
            .filter(|state| held.iter().all(|held| held.call().id != state.call.id))
            .map(|state| state.call.clone())
            .collect();
        for call in others {
            if held.len() == CARD_CALLS {
                break;
            }
            // It is judged again when its turn comes, and gets its result then.
            if self.state.repeats.judge(&call).is_some() {
                continue;
            }
            let Ok(facts) = self.facts(&call).await? else {
                continue;
            };
            if let Decision::Ask(more) = self.executor.policy.decide(call, &facts) {
                held.push(more);
            }
        }
        let held = self.leave_out_unaskable(held).await?;
        if held.is_empty() {
            return Ok(());
        }
        self.journal.hold(&held).await?;
        self.events.call(CallEvent::Held);
        let calls = held.iter().map(|held| held.call().id.clone()).collect();
        self.state.apply(&Entry::Held { calls });
        Ok(())
    }

    /// Ends the calls that only an owner may approve where no owner can be asked; returns the
    /// others.
    async fn leave_out_unaskable(
        &mut self,
        held: Vec<HeldCall>,
    ) -> Result<Vec<HeldCall>, JournalError> {
        if self.context.terms.may_ask == MayAsk::NoOne {
            return self.refuse_all(held).await;
        }
        let needs_owner = |held: &HeldCall| held.approver() == Approver::Owner;
        let is_owner = self.context.scope.role == Role::Owner;
        if is_owner || !held.iter().any(needs_owner) || self.journal.can_ask_owners().await? {
            return Ok(held);
        }
        let (unaskable, askable): (Vec<_>, Vec<_>) = held.into_iter().partition(needs_owner);
        for (index, held) in unaskable.iter().enumerate() {
            let outcome = messages::no_owner_to_ask(self.context.language);
            let call = held.call().id.clone();
            self.show_result(held.call(), &outcome);
            let entry = Entry::Returned(Returned {
                call,
                outcome,
                tainted: false,
                own: false,
                screened: None,
            });
            // Said once for all of them.
            if index == 0 {
                self.journal.append_unasked(&entry).await?;
                self.state.apply(&entry);
            } else {
                self.record(entry).await?;
            }
        }
        Ok(askable)
    }

    /// Ends calls that would require approval where no one can be asked.
    async fn refuse_all(&mut self, held: Vec<HeldCall>) -> Result<Vec<HeldCall>, JournalError> {
        for held in held {
            let outcome = messages::no_one_to_ask(self.context.language);
            let call = held.call().id.clone();
            self.return_result(call, ToolRun::ours(outcome)).await?;
        }
        Ok(Vec::new())
    }

    /// Gives a call that a person did not approve its result.
    pub async fn refuse(&mut self, id: CallId) -> Result<(), JournalError> {
        let (mut name, mut words) = (None, None);
        let progress = self.state.call(&id).map(|state| state.progress.clone());
        if let Some(CallProgress::Decided(Verdict::Denied { by, why })) = progress {
            name = self.named(by).await?;
            words = why;
        }
        let refused = messages::refused(words.as_deref(), name.as_deref(), self.context.language);
        self.return_result(id, ToolRun::ours(refused)).await
    }

    /// Returns the name of somebody for those who read along; `None` for the one person of a direct
    /// chat.
    async fn named(&mut self, user: UserId) -> Result<Option<String>, JournalError> {
        let is_alone = matches!(self.context.scope.owner, Owner::User(_));
        if is_alone && user == self.context.scope.user {
            return Ok(None);
        }
        self.journal.name_of(user).await
    }

    /// Shows people what a call came to.
    fn show_result(&self, call: &ToolCall, outcome: &ToolOutcome) {
        let line = messages::result_line(call, outcome, self.context.language);
        self.events.call(CallEvent::Shown(call.id.clone(), line));
    }

    /// Handles a call that was started before the process was killed: a change of files is finished
    /// or taken back, the outcome of others is unknown.
    pub async fn recover(&mut self, id: CallId) -> Result<(), JournalError> {
        let Some(state) = self.state.call(&id) else {
            return Ok(());
        };
        let call = state.call.clone();
        let before = self.journal.changes_of(&call.id).await?;
        let (tools, scope) = (&self.executor.tools, &self.context.scope);
        if let Some(finished) = tools.finish(&call, scope, before).await {
            return self.return_result(id, ToolRun::ours(finished)).await;
        }
        if self.executor.tools.is_idempotent(&call.name)
            && let Ok(facts) = self.facts(&call).await?
            && let Decision::Allow(cleared) = self.executor.policy.decide(call, &facts)
        {
            let tracking = self.enter(&cleared, &facts).await?;
            return self.execute(cleared, &facts, tracking).await;
        }
        self.return_result(id, ToolRun::ours(ToolOutcome::INTERRUPTED))
            .await
    }

    async fn return_result(&mut self, call: CallId, ran: ToolRun) -> Result<(), JournalError> {
        if let ToolOutcome::Plans { steps } = &ran.outcome {
            let steps = with_known_checks(steps, &self.state.plan);
            let planned = CallEvent::Planned(Some(call.clone()), steps);
            self.events.call(planned);
        } else if let Some(state) = self.state.call(&call) {
            let screened = ran.screened.as_ref();
            if screened.is_some_and(|screened| screened.treatment == Treated::Withheld) {
                let line = messages::withheld_line(&state.call, self.context.language);
                self.events.call(CallEvent::Shown(call.clone(), Some(line)));
            } else {
                self.show_result(&state.call, &ran.outcome);
            }
        }
        self.record(Entry::Returned(Returned {
            call,
            outcome: ran.outcome,
            tainted: ran.tainted,
            own: ran.own,
            screened: ran.screened,
        }))
        .await
    }

    async fn facts(
        &mut self,
        call: &ToolCall,
    ) -> Result<Result<CallFacts, ToolOutcome>, JournalError> {
        let grants = self.journal.grants().await?;
        let tool = match self.executor.tools.inspect(call, &self.context.scope).await {
            Ok(tool) => tool,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let (context, state) = (self.context, &*self.state);
        Ok(Ok(call_facts::gather(tool, call, context, state, grants)))
    }

    async fn record(&mut self, entry: Entry) -> Result<(), JournalError> {
        self.journal.append(&entry).await?;
        self.state.apply(&entry);
        Ok(())
    }

    async fn finish(&mut self, outcome: TurnOutcome) -> Result<(), JournalError> {
        self.journal.finish(&outcome).await?;
        self.state.apply(&Entry::Ended { outcome });
        Ok(())
    }
}
