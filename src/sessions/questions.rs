//! The question that a session waits for: asked, answered by text or button, and closed.

use sayso_channel::{Address, Button, ButtonLook, ChatKind, Language, MessageKey, Outbound};
use sayso_core::transcript::{
    Answering, Entry, Inquiry, PlannedStep, QuestionId, SessionId, TurnId, UserId,
};
use sayso_store::chats::SessionRow;
use sayso_store::inbox::InboxRow;
use sayso_store::outbox::{self, MessageAt, OutboxRow};
use sayso_store::questions::QuestionState;
use sayso_store::questions::{self, QuestionRow};
use sayso_store::{StoreError, Tx, new_id, now_ms};

use super::inquiries::{Progress, continued, route_of};
use super::{messages, plans};
use crate::delivery::{MessageRef, OutboxWriter, Purpose};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};

/// How long a clarification may be answered, in milliseconds.
pub const QUESTION_EXPIRES_MS: i64 = 30 * 60 * 1000;

/// A question to ask.
pub struct NewQuestion<'a> {
    /// The turn that asks.
    pub turn: TurnId,
    /// Its session.
    pub session: SessionId,
    /// Who is asked.
    pub user: UserId,
    /// What the user had asked for.
    pub request: &'a str,
    /// Whether words of others are in it.
    pub untrusted: bool,
    /// What we ask.
    pub asking: Asking<'a>,
    /// How many in a row, this one included.
    pub asked: u32,
    /// The language of our own words.
    pub language: Language,
}

/// What we ask.
#[derive(Debug, Clone, Copy)]
pub enum Asking<'a> {
    /// A question of Phase 1, before anything is done.
    Clarification {
        /// The question.
        question: &'a str,
        /// Answers to choose from.
        choices: &'a [String],
    },
    /// Questions of the model, one after another.
    Inquiry {
        /// What it said with them.
        text: &'a str,
        /// The questions.
        questions: &'a [Inquiry],
        /// Whether untrusted text was in view.
        untrusted: bool,
    },
    /// Whether a plan is followed.
    Plan {
        /// The plan.
        steps: &'a [PlannedStep],
        /// Whether untrusted text was in view.
        untrusted: bool,
    },
}

/// Keeps a question and returns it with the message that asks it.
pub async fn ask(
    tx: &mut Tx,
    new: NewQuestion<'_>,
    reply_to: Option<MessageKey>,
) -> Result<(QuestionId, Outbound), StoreError> {
    let (progress, untrusted) = match new.asking {
        Asking::Clarification { .. } => (None, new.untrusted),
        Asking::Inquiry {
            text,
            questions,
            untrusted,
        } => (Some(Progress::new(text, questions)), untrusted),
        Asking::Plan { steps, untrusted } => {
            (Some(Progress::of_plan(steps, new.language)), untrusted)
        }
    };
    let (question, choices) = match (new.asking, &progress) {
        (Asking::Clarification { question, choices }, _) => (question, choices),
        (_, Some(progress)) => progress.current().map_or(("", &[][..]), |asked| {
            (asked.question.as_str(), asked.choices.as_slice())
        }),
        (_, None) => ("", &[][..]),
    };
    let shown = progress
        .as_ref()
        .map_or_else(|| question.to_owned(), Progress::markdown);
    let row = QuestionRow {
        id: QuestionId(new_id()),
        turn_id: new.turn,
        session_id: new.session,
        user_id: new.user,
        request: new.request.to_owned(),
        untrusted,
        question: question.to_owned(),
        choices: serde_json::to_string(choices)?,
        asked: i64::from(new.asked),
        expires_ms: now_ms() + QUESTION_EXPIRES_MS,
        state: QuestionState::Open,
        inquiry: progress.as_ref().map(Progress::as_json).transpose()?,
    };
    questions::insert(tx, &row).await?;
    // Where any text of the asker counts as the answer, a reply is not needed. A message that asks
    // for one has no room for buttons.
    let asks_reply = choices.is_empty() && reply_to.is_some();
    let outbound = Outbound {
        markdown: shown,
        buttons: if asks_reply {
            Vec::new()
        } else {
            let ways_out = WayOut::below(choices, progress.as_ref());
            prompt(tx, &row, choices, ways_out, new.language).await?
        },
        asks_reply,
        reply_to,
        ..Outbound::default()
    };
    Ok((row.id, outbound))
}

/// Opens the prompt of a question, and returns its buttons.
async fn prompt(
    tx: &mut Tx,
    question: &QuestionRow,
    choices: &[String],
    ways_out: &[WayOut],
    language: Language,
) -> Result<Vec<Vec<Button>>, StoreError> {
    let new = NewPrompt {
        kind: PromptKind::Question,
        place: Place::Session(question.session_id),
        asked: Asked::User(question.user_id),
        subject: Some(question.id.0),
        payload: &(),
        expires_ms: Some(question.expires_ms),
    };
    let prompt = prompts::open(tx, new).await?;
    Ok(buttons(&prompt, 0, choices, ways_out, language))
}

/// What a job answers.
#[derive(Debug, Default)]
pub struct Answered {
    /// The clarification.
    pub answering: Option<Answering>,
    /// What the model asked.
    pub inquiry: Option<AnsweredInquiry>,
    /// How the turn goes on behind the words; nothing where other words than a choice may change the
    /// subject.
    pub goes_on: Vec<Entry>,
    /// Rows that were written with it.
    pub said: Vec<OutboxRow>,
}

/// What was answered to the questions of a model.
#[derive(Debug)]
pub struct AnsweredInquiry {
    /// The questions with their answers.
    pub text: String,
    /// Whether untrusted text was in view when they were asked.
    pub untrusted: bool,
}

/// Finds the question that a job answers, closes it, and shows the answer in its place.
///
/// A button has taken its question at the door, and shown it there; a reply names its question. In
/// a direct chat any next text of the asker answers the newest one, unless it was said before that
/// was asked; in a group nothing else does. Words count by the time at which they were said.
pub async fn answer(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    session: &SessionRow,
    job: &InboxRow,
) -> Result<Answered, StoreError> {
    let Some(user) = job.user_id else {
        return Ok(Answered::default());
    };
    let question = match job.answers {
        Some(question) if job.is_press() => questions::answered_by_id(tx, question, user).await?,
        Some(question) => questions::open_by_id(tx, question, user, job.ready_ms).await?,
        None if session.chat_kind == ChatKind::Direct => {
            let newest = questions::open_question(tx, session.id, user, job.ready_ms).await?;
            newest.filter(|question| question.id.0 < job.id.0)
        }
        None => None,
    };
    let Some(question) = question else {
        return Ok(Answered::default());
    };
    questions::close(tx, question.id).await?;
    prompts::withdraw_about(tx, PromptKind::Question, question.id.0).await?;
    let mut answered = Answered::default();
    if !job.is_press() {
        answered.said = show_answer(tx, outbox, &question, &job.said).await?;
    }
    match Progress::of(&question)? {
        Some(progress) if !progress.plan().is_empty() => {
            let asked = plans::AskedPlan {
                question: &question,
                steps: progress.plan(),
                shown: progress.markdown(),
                chat_kind: session.chat_kind,
            };
            let answer = plans::answer(tx, asked, &job.said, job.is_press()).await?;
            (answered.answering, answered.goes_on) = (answer.answering, answer.goes_on);
        }
        Some(progress) => {
            if is_choice(&question, &job.said)? {
                let route = route_of(tx, question.turn_id).await?;
                answered.goes_on.extend(route.map(continued));
            }
            answered.inquiry = Some(AnsweredInquiry {
                text: progress.answered(&job.said).for_model(),
                untrusted: question.untrusted,
            });
        }
        None => {
            answered.answering = Some(Answering {
                request: question.request,
                question: question.question,
                asked: question.asked as u32,
                untrusted: question.untrusted,
                plan: Vec::new(),
            });
        }
    }
    Ok(answered)
}

/// Shows an answer in the place of its question, in every copy of it.
async fn show_answer(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    question: &QuestionRow,
    said: &str,
) -> Result<Vec<OutboxRow>, StoreError> {
    let shown = match Progress::of(question)? {
        Some(progress) => progress.answered(said).closed().markdown(),
        None => messages::answered(&question.question, said),
    };
    let outbound = Outbound::markdown(shown);
    outbox
        .amend(tx, Purpose::Question, question.id.0, None, &outbound)
        .await
}

fn is_choice(question: &QuestionRow, said: &str) -> Result<bool, StoreError> {
    let choices: Vec<String> = serde_json::from_str(&question.choices)?;
    Ok(choices.iter().any(|choice| choice == said))
}

/// Returns the question that this user answers by a reply to this message, if it is one.
pub async fn asked_in(
    tx: &mut Tx,
    at: &Address,
    message: &MessageKey,
    user: UserId,
) -> Result<Option<QuestionId>, StoreError> {
    let at = MessageAt::of(at, message);
    let subject = outbox::subject_of_message(tx, at, Purpose::Question).await?;
    let Some(id) = subject.map(QuestionId) else {
        return Ok(None);
    };
    let question = questions::open_by_id(tx, id, user, now_ms()).await?;
    Ok(question.map(|question| question.id))
}

/// What a press on a choice came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceOutcome {
    /// It answers this question, and nothing else does any more.
    Answers(ChosenAnswer),
    /// It answers one of several questions, and the next one is asked; the rows that do so.
    GoesOn(Vec<OutboxRow>),
    /// The answer will be written; the rows that say so.
    Written(Vec<OutboxRow>),
    /// The question is not asked any more; the rows that say so.
    Dropped(Vec<OutboxRow>),
    /// It was answered before.
    Closed,
    /// There is no such choice.
    Unknown,
}

/// An answer by a button, which is taken with the job that carries it in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenAnswer {
    /// The question.
    pub question: QuestionId,
    /// The choice.
    pub words: String,
    /// The rows that show it.
    pub said: Vec<OutboxRow>,
}

/// A press on a button of a question.
#[derive(Clone, Copy)]
pub struct PressedChoice<'a> {
    /// The prompt of the question.
    pub prompt: &'a Prompt,
    /// What the button stands for.
    pub choice: &'a str,
    /// The message that carries it, where the platform says it.
    pub this: Option<MessageRef<'a>>,
    /// Whether any next words answer the question, or a reply alone.
    pub chat_kind: ChatKind,
    /// The language of the presser.
    pub language: Language,
}

/// Does what a press on a question answers. The press has closed the prompt; it stays open where
/// the press is not the last.
pub async fn choose(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    pressed: PressedChoice<'_>,
) -> Result<ChoiceOutcome, StoreError> {
    let outcome = judge(tx, outbox, pressed).await?;
    match outcome {
        ChoiceOutcome::Answers(_) | ChoiceOutcome::Dropped(_) => {}
        ChoiceOutcome::GoesOn(_)
        | ChoiceOutcome::Written(_)
        | ChoiceOutcome::Closed
        | ChoiceOutcome::Unknown => {
            prompts::reopen(tx, pressed.prompt).await?;
        }
    }
    Ok(outcome)
}

async fn judge(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    pressed: PressedChoice<'_>,
) -> Result<ChoiceOutcome, StoreError> {
    let id = QuestionId(pressed.prompt.subject().unwrap_or_default());
    let Some(question) = questions::question(tx, id).await? else {
        return Ok(ChoiceOutcome::Unknown);
    };
    if let Some(way_out) = WayOut::parse(pressed.choice) {
        if question.state != QuestionState::Open {
            return Ok(ChoiceOutcome::Closed);
        }
        return way_out.take(tx, outbox, &question, pressed).await;
    }
    let Some(button) = ChoiceButton::parse(pressed.choice) else {
        return Ok(ChoiceOutcome::Unknown);
    };
    let progress = Progress::of(&question)?;
    let step = progress.as_ref().map_or(0, Progress::step);
    let choices: Vec<String> = serde_json::from_str(&question.choices)?;
    match choices.get(button.position) {
        _ if question.state != QuestionState::Open || button.step < step => {
            Ok(ChoiceOutcome::Closed)
        }
        Some(choice) if button.step == step => {
            take(tx, outbox, &question, progress, choice, pressed).await
        }
        _ => Ok(ChoiceOutcome::Unknown),
    }
}

/// Takes a choice: for one of several questions with the next one asked, else as the answer.
async fn take(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    question: &QuestionRow,
    progress: Option<Progress>,
    choice: &str,
    pressed: PressedChoice<'_>,
) -> Result<ChoiceOutcome, StoreError> {
    let progress = progress.map(|progress| progress.answered(choice));
    if let Some(progress) = progress.filter(|progress| progress.current().is_some()) {
        let said = go_on(tx, outbox, question, &progress, pressed).await?;
        return Ok(said.map_or(ChoiceOutcome::Closed, ChoiceOutcome::GoesOn));
    }
    if !questions::take_answer(tx, question.id).await? {
        return Ok(ChoiceOutcome::Closed);
    }
    let said = show_answer(tx, outbox, question, choice).await?;
    Ok(ChoiceOutcome::Answers(ChosenAnswer {
        question: question.id,
        words: choice.to_owned(),
        said,
    }))
}

/// Asks the next of several questions; `None` when another press did so. Its buttons carry how many
/// were answered before, so a second press of an earlier one is known for what it is.
async fn go_on(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    question: &QuestionRow,
    progress: &Progress,
    pressed: PressedChoice<'_>,
) -> Result<Option<Vec<OutboxRow>>, StoreError> {
    let Some(next) = progress.current() else {
        return Ok(None);
    };
    let row = QuestionRow {
        question: next.question.clone(),
        choices: serde_json::to_string(&next.choices)?,
        inquiry: Some(progress.as_json()?),
        ..question.clone()
    };
    if !questions::go_on(tx, &row, question.inquiry.as_deref()).await? {
        return Ok(None);
    }
    let outbound = Outbound {
        buttons: buttons(
            pressed.prompt,
            progress.step(),
            &next.choices,
            WayOut::below(&next.choices, Some(progress)),
            pressed.language,
        ),
        ..Outbound::markdown(progress.markdown())
    };
    let said = outbox
        .amend(tx, Purpose::Question, row.id.0, pressed.this, &outbound)
        .await?;
    Ok(Some(said))
}

/// Makes the buttons of a question, the one after `step` others of its prompt: a choice in each
/// row, and below them the ways out.
fn buttons(
    prompt: &Prompt,
    step: usize,
    choices: &[String],
    ways_out: &[WayOut],
    language: Language,
) -> Vec<Vec<Button>> {
    let choices = choices.iter().enumerate().map(|(position, choice)| {
        let token = prompt.button(format_args!("{step}-{position}"));
        vec![button(choice.clone(), token)]
    });
    let last_row = ways_out.iter().map(|way| way.button(prompt, language));
    choices.chain([last_row.collect()]).collect()
}

fn button(label: String, token: String) -> Button {
    Button {
        label,
        token,
        key: None,
        look: ButtonLook::Plain,
    }
}

/// What can be pressed instead of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WayOut {
    /// The answer is another one, and will be written.
    Write,
    /// Nothing is answered.
    Drop,
    /// The plan is not followed.
    Stop,
}

impl WayOut {
    /// Returns those below a question with these choices.
    fn below(choices: &[String], progress: Option<&Progress>) -> &'static [Self] {
        match progress {
            // Its question says that words change it.
            Some(progress) if !progress.plan().is_empty() => &[Self::Stop],
            // Without choices, words are what is asked for.
            Some(_) | None if choices.is_empty() => &[Self::Drop],
            Some(_) | None => &[Self::Write, Self::Drop],
        }
    }

    fn choice(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Drop => "drop",
            Self::Stop => "stop",
        }
    }

    fn parse(choice: &str) -> Option<Self> {
        let mut ways = [Self::Write, Self::Drop, Self::Stop].into_iter();
        ways.find(|way| way.choice() == choice)
    }

    fn button(self, prompt: &Prompt, language: Language) -> Button {
        let label = match self {
            Self::Write => messages::something_else(language),
            Self::Drop => messages::never_mind(language),
            Self::Stop => messages::stop_plan(language),
        };
        button(label.to_owned(), prompt.button(self.choice()))
    }

    /// Leaves the question open for words, or closes it unanswered, and says so in its place.
    async fn take(
        self,
        tx: &mut Tx,
        outbox: &OutboxWriter,
        question: &QuestionRow,
        pressed: PressedChoice<'_>,
    ) -> Result<ChoiceOutcome, StoreError> {
        let language = pressed.language;
        let asked = match Progress::of(question)? {
            Some(progress) => progress.markdown(),
            None => question.question.clone(),
        };
        let (said, left) = match self {
            Self::Write => (
                messages::just_write(pressed.chat_kind, language),
                Some(Self::Drop),
            ),
            Self::Drop => (messages::left_it(language), None),
            Self::Stop => (messages::plan_stopped(language), None),
        };
        let left = left.map(|way| vec![way.button(pressed.prompt, language)]);
        let outbound = Outbound {
            buttons: left.into_iter().collect(),
            ..Outbound::markdown(format!("{asked}\n\n{said}"))
        };
        let rows = outbox
            .amend(
                tx,
                Purpose::Question,
                question.id.0,
                pressed.this,
                &outbound,
            )
            .await?;
        match self {
            Self::Write => Ok(ChoiceOutcome::Written(rows)),
            Self::Drop | Self::Stop => {
                questions::close(tx, question.id).await?;
                Ok(ChoiceOutcome::Dropped(rows))
            }
        }
    }
}

/// Which choice a button stands for.
struct ChoiceButton {
    /// How many questions of the row were answered before it was shown.
    step: usize,
    /// Which of the choices it is.
    position: usize,
}

impl ChoiceButton {
    fn parse(choice: &str) -> Option<Self> {
        let (step, position) = choice.split_once('-')?;
        Some(Self {
            step: step.parse().ok()?,
            position: position.parse().ok()?,
        })
    }
}
