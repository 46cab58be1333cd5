//! The public sets of questions, as they are published.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Context as _;
use chrono::NaiveDateTime;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A question, and the places of the texts that hold its answer.
pub struct Question {
    pub text: String,
    pub wanted: HashSet<usize>,
}

/// A conversation of LoCoMo.
pub struct Conversation {
    pub turns: Vec<Turn>,
    pub questions: Vec<Question>,
}

impl Conversation {
    /// Returns when the last turn was said: its questions are asked then.
    pub fn end(&self) -> NaiveDateTime {
        let last = self.turns.iter().map(|turn| turn.at_ms).max();
        let last = chrono::DateTime::from_timestamp_millis(last.unwrap_or_default());
        last.unwrap_or_default().naive_utc()
    }
}

/// What one of two people said once.
pub struct Turn {
    pub session: i64,
    pub place: i64,
    pub at_ms: i64,
    pub speaker: String,
    pub text: String,
    name: String,
}

/// What a person of MemDaily said over some time.
pub struct Trajectory {
    pub messages: Vec<String>,
    pub questions: Vec<Question>,
}

/// The passages of CMRC 2018, each with questions.
pub struct Passages {
    pub texts: Vec<String>,
    pub questions: Vec<Question>,
}

#[derive(Deserialize)]
struct WrittenConversation {
    conversation: Map<String, Value>,
    qa: Vec<WrittenQuestion>,
}

#[derive(Deserialize)]
struct WrittenQuestion {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
}

#[derive(Deserialize)]
struct WrittenTurn {
    speaker: String,
    dia_id: String,
    text: String,
    blip_caption: Option<String>,
}

/// Reads LoCoMo. Questions without evidence in the conversation are left out.
pub fn conversations(material: &Path) -> anyhow::Result<Vec<Conversation>> {
    let text = read(material, "locomo_visible.json")?;
    let written: Vec<WrittenConversation> =
        serde_json::from_str(&text).context("cannot read LoCoMo")?;
    written.into_iter().map(conversation).collect()
}

fn conversation(written: WrittenConversation) -> anyhow::Result<Conversation> {
    let mut turns = Vec::new();
    for session in 1.. {
        let key = format!("session_{session}");
        let Some(lines) = written.conversation.get(&key) else {
            break;
        };
        let lines: Vec<WrittenTurn> = serde_json::from_value(lines.clone())?;
        let date = written.conversation.get(&format!("{key}_date_time"));
        let date = date
            .and_then(Value::as_str)
            .context("a session has no date")?;
        let date = NaiveDateTime::parse_from_str(date, "%I:%M %p on %d %B, %Y")?;
        let at_ms = date.and_utc().timestamp_millis();
        turns.extend(lines.into_iter().zip(0..).map(|(line, place)| Turn {
            session,
            place,
            at_ms,
            speaker: line.speaker,
            text: match line.blip_caption {
                Some(caption) => format!("[{caption}] {}", line.text),
                None => line.text,
            },
            name: line.dia_id,
        }));
    }
    let mut questions = Vec::new();
    for WrittenQuestion { question, evidence } in written.qa {
        let names: HashSet<_> = evidence.iter().flat_map(|text| turn_names(text)).collect();
        let named = turns.iter().enumerate();
        let named = named.filter(|(_, turn)| names.contains(&turn.name));
        let wanted: HashSet<_> = named.map(|(place, _)| place).collect();
        if !wanted.is_empty() {
            questions.push(Question {
                text: question,
                wanted,
            });
        }
    }
    Ok(Conversation { turns, questions })
}

/// Returns what has the form `D1:2` in a text, in which several may stand.
fn turn_names(text: &str) -> Vec<String> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    text.match_indices('D')
        .filter_map(|(start, _)| {
            let name = text.get(start..)?;
            let session = digits(name.get(1..)?);
            let colon = 1 + session;
            let turn = digits(name.get(colon..)?.strip_prefix(':')?);
            (session > 0 && turn > 0)
                .then(|| name.get(..=colon + turn).map(str::to_owned))
                .flatten()
        })
        .collect()
}

#[derive(Deserialize)]
struct WrittenTrajectory {
    message_list: Vec<WrittenMessage>,
    question_list: Vec<WrittenDailyQuestion>,
}

#[derive(Deserialize)]
struct WrittenMessage {
    mid: usize,
    message: String,
}

#[derive(Deserialize)]
struct WrittenDailyQuestion {
    question: String,
    target_step_id: Vec<usize>,
}

/// Reads MemDaily.
pub fn trajectories(material: &Path) -> anyhow::Result<Vec<Trajectory>> {
    read(material, "memdaily_visible.jsonl")?
        .lines()
        .map(|line| {
            let written: WrittenTrajectory =
                serde_json::from_str(line).context("cannot read MemDaily")?;
            Ok(trajectory(written))
        })
        .collect()
}

fn trajectory(written: WrittenTrajectory) -> Trajectory {
    let names: Vec<_> = written.message_list.iter().map(|line| line.mid).collect();
    let place = |name: &usize| names.iter().position(|other| other == name);
    let questions = written.question_list.into_iter().map(|question| Question {
        wanted: question.target_step_id.iter().filter_map(place).collect(),
        text: question.question,
    });
    let messages = written.message_list.into_iter().map(|line| line.message);
    Trajectory {
        questions: questions
            .filter(|question| !question.wanted.is_empty())
            .collect(),
        messages: messages.collect(),
    }
}

#[derive(Deserialize)]
struct WrittenCmrc {
    data: Vec<WrittenArticle>,
}

#[derive(Deserialize)]
struct WrittenArticle {
    paragraphs: Vec<WrittenPassage>,
}

#[derive(Deserialize)]
struct WrittenPassage {
    context: String,
    qas: Vec<WrittenPassageQuestion>,
}

#[derive(Deserialize)]
struct WrittenPassageQuestion {
    question: String,
}

/// Reads CMRC 2018.
pub fn passages(material: &Path) -> anyhow::Result<Passages> {
    let text = read(material, "cmrc2018_dev.json")?;
    let written: WrittenCmrc = serde_json::from_str(&text).context("cannot read CMRC 2018")?;
    let passages = written
        .data
        .into_iter()
        .flat_map(|article| article.paragraphs);
    let (mut texts, mut questions) = (Vec::new(), Vec::new());
    for passage in passages {
        questions.extend(passage.qas.into_iter().map(|asked| Question {
            text: asked.question,
            wanted: HashSet::from([texts.len()]),
        }));
        texts.push(passage.context);
    }
    Ok(Passages { texts, questions })
}

fn read(material: &Path, name: &str) -> anyhow::Result<String> {
    let file = material.join(name);
    std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
}
