//! The checks of what a turn changed: begun, run by calls of their own, corrected and reported.
//!
//! Which of these is next is decided by `next` from the journal, so a turn that was killed goes on
//! with its checks where it was.

use sayso_checks::{Receipt, Recovery, WhyOver};
use sayso_core::transcript::{
    CallId, CheckPurpose, CheckRound, CheckStrategy, Entry, Issued, IssuedCheck, Taint, ToolCall,
    TurnOutcome,
};
use sayso_tools::RUN_CHECKS;
use serde_json::json;

use super::Turn;
use crate::agent::{JournalError, messages, receipt};
use crate::executor::{CallRun, MayAsk};

impl Turn<'_> {
    /// Begins a round with the checks that the changed files can affect.
    pub(super) async fn begin_checks(&mut self) -> Result<(), JournalError> {
        let changed = self.state().checks.changed.clone();
        let projects = &self.setup.agent.checks.projects;
        let planned = projects.planned(self.setup.scope(), &changed).await;
        let turn = self.setup.scope().turn;
        tracing::debug!(%turn, checks = planned.len(), "checks begin");
        self.issue(Vec::new(), IssuedCheck::Begins { planned })
            .await
    }

    /// Issues the call that runs a check.
    pub(super) async fn issue_check(
        &mut self,
        strategy: CheckStrategy,
        purpose: CheckPurpose,
    ) -> Result<(), JournalError> {
        let arguments = match purpose {
            CheckPurpose::Verify | CheckPurpose::Again => json!({ "check": strategy.as_str() }),
            CheckPurpose::Before => json!({ "check": strategy.as_str(), "before": true }),
        };
        let call = ToolCall {
            id: CallId(format!("check_{}", self.state().checks.issued + 1)),
            name: RUN_CHECKS.to_owned(),
            arguments,
        };
        self.issue(vec![call], IssuedCheck::Runs { strategy, purpose })
            .await
    }

    /// Returns whether the call that was issued last only helps to understand a failure.
    pub(super) fn is_extra_check(&self) -> bool {
        match self.state().checks.running() {
            Some(CheckPurpose::Again | CheckPurpose::Before) => true,
            Some(CheckPurpose::Verify) | None => false,
        }
    }

    /// Has a call judged and run where that requires no approval: no one is asked twice about one
    /// check.
    pub(super) async fn judge_unasked(&mut self, id: &CallId) -> Result<(), JournalError> {
        let mut context = self.setup.context.execution.clone();
        context.terms.may_ask = MayAsk::NoOne;
        let mut calls = CallRun {
            executor: &self.setup.agent.executor,
            context: &context,
            in_view: self.window.in_view(),
            state: self.record.state,
            journal: self.record.journal,
            events: self.setup.events,
            stop: self.setup.stop,
        };
        calls.judge(id).await
    }

    async fn issue(
        &mut self,
        calls: Vec<ToolCall>,
        check: IssuedCheck,
    ) -> Result<(), JournalError> {
        let issued = Issued {
            calls,
            taint: Taint::default(),
            check: Some(check),
        };
        self.record.record(Entry::Issued(issued)).await
    }

    /// Tells the model what is to be done about a failure; it sees the output of the check above.
    pub(super) async fn correct(&mut self, recovery: Recovery) -> Result<(), JournalError> {
        let most = self.setup.agent.checks.limits.max_corrections;
        let number = self.state().checks.corrections + 1;
        let text = messages::correct(recovery, number, most, self.setup.language());
        self.record.record(Entry::Noted { text }).await
    }

    /// Ends the turn with the model's last words and the receipt of the newest round.
    pub(super) async fn report_checks(&mut self, why: WhyOver) -> Result<(), JournalError> {
        let checks = &self.state().checks;
        let newest = checks.round.as_ref();
        let reply = newest.map_or_else(|| self.state().last_text(), |round| &round.reply);
        let round = newest.or(checks.last.as_ref());
        let nothing = CheckRound::default();
        let round = round.unwrap_or(&nothing);
        let proof = Receipt::of(&round.planned, &round.results, why);
        let text = receipt::under(reply, &proof, self.setup.language());
        self.record.finish(TurnOutcome::Replied { text }).await
    }
}
