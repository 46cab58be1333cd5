//! The tool calls of a turn: judged, run, held, refused or recovered.

use super::call_facts;
use super::ports::{JournalError, TurnEvent};
use super::turn::Turn;
use super::workspace_tracking::WorkspaceTracking;
use crate::approvals::Approver;
use crate::policy::{CallFacts, ClearedCall, Decision, HeldCall, WorkspaceUse};
use crate::tools::{CallContext, ToolRun};
use crate::transcript::{
    CallId, CallProgress, Entry, FileBefore, Returned, Role, ToolCall, ToolOutcome, ToolStatus,
    TurnOutcome, Verdict,
};

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

impl Turn<'_> {
    /// Judges a call, and runs it, asks for it or refuses it.
    pub(super) async fn judge(&mut self, id: &CallId) -> Result<(), JournalError> {
        let Some(state) = self.state.call(id) else {
            return Ok(());
        };
        let call = state.call.clone();
        let was_approved = matches!(
            state.progress,
            CallProgress::Decided(Verdict::Approved { .. })
        );
        if !was_approved && self.journal.has_pending_messages().await? {
            return self.give_way_to_words().await;
        }
        if !was_approved && let Some(repetition) = self.state.repeats.judge(&call) {
            let turn = self.context.scope.turn;
            tracing::info!(%turn, tool = call.name, ?repetition, "tool call blocked by the loop guard");
            let kept = super::messages::repeated(&call.name, repetition, self.context.language);
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
        let mut decision = self.agent.policy.decide(call.clone(), &facts);
        if was_approved && let Decision::Ask(held) = decision {
            decision = match self.journal.approved(&call.id).await? {
                Some(approved) => self.agent.policy.clear(held, &approved, &facts),
                None => Decision::Ask(held),
            };
        }
        Ok(match decision {
            Decision::Allow(cleared) => Ok((cleared, facts)),
            Decision::Ask(held) => Err(NotCleared::Held(Box::new(held))),
            Decision::Deny { why } => {
                let why = super::messages::denied(&why, self.context.language);
                Err(NotCleared::Answered(ToolOutcome::Denied { why }))
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

    /// Somebody said something that joins at the next step: what was not started of this one gives
    /// way to it. The results say so, and a kill between them finds the same words waiting.
    async fn give_way_to_words(&mut self) -> Result<(), JournalError> {
        let waiting = self.state.calls.iter();
        let waiting = waiting.filter(|state| state.progress == CallProgress::Waiting);
        let waiting: Vec<CallId> = waiting.map(|state| state.call.id.clone()).collect();
        for call in waiting {
            // Nothing of it is shown: people see that their words were added.
            self.record(Entry::Returned(Returned {
                call,
                outcome: super::messages::gives_way(self.context.language),
                tainted: false,
                own: false,
                screened: None,
            }))
            .await?;
        }
        Ok(())
    }

    async fn execute(
        &mut self,
        cleared: ClearedCall,
        facts: &CallFacts,
        tracking: WorkspaceTracking,
    ) -> Result<(), JournalError> {
        let id = cleared.call().id.clone();
        let workspace = &self.context.scope.workspace;
        let before = self.agent.tools.before(&cleared, workspace).await;
        let before = before.map(|before| FileBefore {
            own: matches!(tracking, WorkspaceTracking::Own(_)),
            ..before
        });
        match self.journal.call(&cleared, before).await {
            Err(JournalError::NotApproved) => {
                let why = "the approval of this call was used or withdrawn".to_owned();
                return self
                    .return_result(id, ToolRun::ours(ToolOutcome::Denied { why }))
                    .await;
            }
            Err(JournalError::Unaudited(error)) => {
                tracing::error!(turn = %self.context.scope.turn, error, "tool call not run: its audit record cannot be written");
                let why = super::messages::unaudited(self.context.language).to_owned();
                return self.finish(TurnOutcome::Failed { why }).await;
            }
            other => other?,
        }
        self.state.apply(&Entry::Called { call: id.clone() });
        let running = ToolStatus::Running(facts.tool.summary.clone());
        self.events.emit(TurnEvent::Tool(id.clone(), running));
        let call_context = CallContext {
            scope: self.context.scope.clone(),
            stop: self.stop.clone(),
            taint: self.state.taint.clone(),
            in_view: self.in_view().to_vec(),
            language: self.context.language,
        };
        let mut ran = self.agent.tools.run(cleared, &call_context).await;
        self.leave(tracking, &mut ran).await?;
        if let ToolOutcome::Sends { file } = &ran.outcome {
            let most = self.journal.largest_file();
            if file.bytes > most {
                ran.outcome = super::messages::file_too_large(file, most);
            }
        }
        self.return_result(id, ran).await
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
            if let Decision::Ask(more) = self.agent.policy.decide(call, &facts) {
                held.push(more);
            }
        }
        let held = self.leave_out_unaskable(held).await?;
        if held.is_empty() {
            return Ok(());
        }
        self.journal.hold(&held).await?;
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
        let needs_owner = |held: &HeldCall| held.approver() == Approver::Owner;
        let is_owner = self.context.scope.role == Role::Owner;
        if is_owner || !held.iter().any(needs_owner) || self.journal.can_ask_owners().await? {
            return Ok(held);
        }
        let (unaskable, askable): (Vec<_>, Vec<_>) = held.into_iter().partition(needs_owner);
        for (index, held) in unaskable.iter().enumerate() {
            let outcome = super::messages::no_owner_to_ask(self.context.language);
            let call = held.call().id.clone();
            let status = super::messages::status(&outcome, self.context.language);
            self.events.emit(TurnEvent::Tool(call.clone(), status));
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

    pub(super) async fn refuse(&mut self, id: CallId) -> Result<(), JournalError> {
        let words = self
            .state
            .call(&id)
            .and_then(|state| match &state.progress {
                CallProgress::Decided(Verdict::Denied { why, .. }) => why.as_deref(),
                _ => None,
            });
        let why = super::messages::refused(words, self.context.language);
        self.return_result(id, ToolRun::ours(ToolOutcome::Denied { why }))
            .await
    }

    /// Handles a call that was started before the process was killed: its outcome is unknown.
    pub(super) async fn recover(&mut self, id: CallId) -> Result<(), JournalError> {
        let Some(state) = self.state.call(&id) else {
            return Ok(());
        };
        let call = state.call.clone();
        if self.agent.tools.is_idempotent(&call.name)
            && let Ok(facts) = self.facts(&call).await?
            && let Decision::Allow(cleared) = self.agent.policy.decide(call, &facts)
        {
            let tracking = self.enter(&cleared, &facts).await?;
            return self.execute(cleared, &facts, tracking).await;
        }
        self.return_result(id, ToolRun::ours(ToolOutcome::INTERRUPTED))
            .await
    }

    async fn return_result(&mut self, call: CallId, ran: ToolRun) -> Result<(), JournalError> {
        self.events.emit(match &ran.outcome {
            ToolOutcome::Plans { steps } => TurnEvent::Planned(Some(call.clone()), steps.clone()),
            outcome => {
                let status = super::messages::status(outcome, self.context.language);
                TurnEvent::Tool(call.clone(), status)
            }
        });
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
        let tool = match self.agent.tools.inspect(call, &self.context.scope).await {
            Ok(tool) => tool,
            Err(outcome) => return Ok(Err(outcome)),
        };
        Ok(Ok(call_facts::gather(
            tool,
            call,
            self.context,
            self.state,
            grants,
        )))
    }
}
