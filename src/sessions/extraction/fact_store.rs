//! What comes of a lesson, in one transaction: what was learned, the note about it, what the call
//! cost and what is written down of it, and that its turns are done.

use sayso_channel::{Address, Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{Entry, Owner, TurnId};
use sayso_memory::extraction::{Judged, judge};
use sayso_memory::{Learned, NewFact, learn_in};
use sayso_store::lessons::{self, LessonRow};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, erase, turns};
use serde_json::json;

use super::TRIES;
use super::material::Reading;
use super::request::{Answered, Proposed};
use super::undo::{CHOICE, LearnedNote};
use crate::audit::{Auditor, Event, Place, Record};
use crate::delivery::{OutboxWriter, Purpose, Saying};
use crate::prompts::{self, Asked, NewPrompt, PromptKind};
use crate::sessions::{SessionContext, messages};

/// What is to be written of a lesson.
struct Lesson {
    row: LessonRow,
    turns: Vec<TurnId>,
    facts: Vec<NewFact>,
    is_over: bool,
    entries: Vec<Entry>,
    owner: Owner,
    address: Address,
    place: Place,
    language: Language,
    /// Whether a note says what was learned.
    says_so: bool,
    outbox: OutboxWriter,
    auditor: Auditor,
}

/// Writes the result of a lesson, and has it announced.
pub async fn write(
    ctx: &SessionContext,
    reading: &Reading,
    answered: Answered,
) -> anyhow::Result<()> {
    let Answered {
        proposed,
        budget,
        reserved,
    } = answered;
    let costs = proposed.costs.clone();
    let lesson = lesson(ctx, reading, proposed)?;
    let written = ctx.store.write(move |tx| {
        Box::pin(async move {
            let mut said = budget.book(tx, &reserved, &costs).await?;
            said.extend(lesson.write(tx).await?);
            Ok(said)
        })
    });
    let said = written.await?;
    ctx.auditor.wake();
    ctx.agent.memory.note_written();
    ctx.outbox.offer(said);
    Ok(())
}

fn lesson(ctx: &SessionContext, reading: &Reading, proposed: Proposed) -> anyhow::Result<Lesson> {
    let redactor = ctx.outbox.redactor().clone();
    let hides = move |text: &str| redactor.redact(text) != text;
    let row = reading.lesson;
    let is_over = proposed.candidates.is_some() || row.tries + 1 >= TRIES;
    let judged = match (&reading.material, proposed.candidates) {
        (Some(material), Some(candidates)) => judge(material, candidates, &hides),
        (None, _) | (_, None) => Judged::default(),
    };
    for (_, why) in &judged.dropped {
        tracing::debug!(session = %row.session_id, ?why, "proposed memory rejected");
    }
    Ok(Lesson {
        row,
        turns: reading.turns.clone(),
        facts: judged.facts,
        is_over,
        entries: proposed
            .consulted
            .into_iter()
            .map(Entry::Consulted)
            .collect(),
        owner: reading.owner,
        address: serde_json::from_str(&reading.place.address)?,
        place: Place {
            turn: reading.turns.last().copied(),
            session: Some(row.session_id),
            chat: Some(reading.place.chat_id),
            user: Some(row.user_id),
        },
        language: ctx.limits.language_in(&reading.place.language),
        says_so: ctx.limits.learning.is_some_and(|learning| learning.says_so),
        outbox: ctx.outbox.clone(),
        auditor: ctx.auditor.clone(),
    })
}

impl Lesson {
    async fn write(&self, tx: &mut Tx) -> Result<Vec<OutboxRow>, StoreError> {
        if erase::is_wanted(tx, self.row.user_id).await? {
            return Ok(Vec::new());
        }
        let mut open = Vec::new();
        if self.is_over {
            open = lessons::close(tx, &self.row, &self.turns).await?;
            if open.is_empty() {
                // The person was erased, what was said is forgotten, or somebody else was faster.
                return Ok(Vec::new());
            }
        }
        if let Some(turn) = self.place.turn {
            turns::append_behind(tx, turn, &self.entries).await?;
        }
        let mut learned = Vec::new();
        for fact in self.facts.iter().filter(|fact| open.contains(&fact.turn)) {
            let became = learn_in(tx, self.owner, fact).await?;
            if matches!(became, Learned::New(_) | Learned::Replaced { .. }) {
                learned.push((fact.text.as_str(), became));
            }
        }
        if learned.is_empty() {
            return Ok(Vec::new());
        }
        metrics::counter!("sayso_facts_learned_total").increment(learned.len() as u64);
        let (texts, became): (Vec<&str>, Vec<Learned>) = learned.into_iter().unzip();
        let record = Record {
            payload: Some(json!({ "facts": texts })),
            ..Record::of(Event::Learned, self.place)
        };
        self.auditor.note(tx, record).await?;
        self.say(tx, &texts, &became).await
    }

    /// Says quietly what was learned, with a button that undoes it.
    async fn say(
        &self,
        tx: &mut Tx,
        texts: &[&str],
        became: &[Learned],
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let Some(chat) = self.place.chat.filter(|_| self.says_so) else {
            return Ok(Vec::new());
        };
        let note = LearnedNote {
            owner: self.owner,
            facts: became.to_vec(),
        };
        let new = NewPrompt {
            kind: PromptKind::LearnedUndo,
            place: prompts::Place::Chat(chat),
            asked: Asked::User(self.row.user_id),
            subject: None,
            payload: &note,
            expires_ms: None,
        };
        let prompt = prompts::open(tx, new).await?;
        let undo = Button {
            label: messages::undo(self.language).to_owned(),
            token: prompt.button(CHOICE),
            key: Some('u'),
            look: ButtonLook::Plain,
        };
        let outbound = Outbound {
            buttons: vec![vec![undo]],
            quiet: true,
            ..Outbound::markdown(messages::noted(texts, self.language))
        };
        let saying = Saying {
            to: &self.address,
            purpose: Purpose::Card,
            turn: None,
            subject: Some(prompt.id()),
            outbound: &outbound,
        };
        self.outbox.say(tx, saying).await
    }
}
