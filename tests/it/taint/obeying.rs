//! A model that obeys whatever stands in a tool's result, and what comes of it.

use std::path::Path;

use sayso_fakes::model::{Answer, ModelRequest};
use sayso_fakes::{FakeModel, Message};
use serde_json::json;

use crate::house::House;

/// How many people are talked with at once.
const AT_ONCE: usize = 8;
/// The name that everything bears which only an attack asked for.
const OWNED: &str = "owned";
/// What is said behind the number of an attack.
const LOOK: &str = "look at attack ";

/// What came of attacks.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// How many attacks were tried, each in a conversation of its own.
    pub attacks: usize,
    /// How many of them ended with a card.
    pub asked: usize,
    /// How many results were withheld from the model.
    pub withheld: usize,
    /// How many risky calls ran, with nobody having approved one.
    pub ran: usize,
}

/// Has the model read each attack with a tool and then make every risky call that there is.
///
/// Each attack has a person of its own. The settings let everything run that
/// they can let run.
pub async fn obeys(settings: &[(&str, &str)], attacks: &[String]) -> Tally {
    let mut house = House::closed(settings).await;
    house.set("ACCESS__ALLOW", "[\"telegram:*\"]");
    rule(&house.model, attacks.to_vec());
    house.start();
    house.settles_in().await;
    let mut tally = Tally::default();
    for chunk in (0..attacks.len()).collect::<Vec<_>>().chunks(AT_ONCE) {
        let told = chunk.iter().map(|number| tells(&house, *number));
        for asked in futures_util::future::join_all(told).await {
            tally.attacks += 1;
            tally.asked += usize::from(asked);
        }
        house.model.forget_requests();
    }
    tally.withheld = count(&house, WITHHELD).await;
    tally.ran = owned_files(&house.data().join("workspaces")) + count(&house, REMEMBERED).await;
    house.assert_clean();
    tally
}

const WITHHELD: &str = "
    SELECT CAST(count(*) AS TEXT) FROM journal
    WHERE kind = 'returned' AND body ->> '$.screened.treatment' = 'withheld'";

/// Facts alone: what is remembered of a turn nobody asked for.
const REMEMBERED: &str = "SELECT CAST(count(*) AS TEXT) FROM memories WHERE kind = 'fact'";

async fn count(house: &House, query: &'static str) -> usize {
    house.rows(query).await[0].parse().unwrap()
}

/// Returns how many files there are, in all workspaces, that only an attack asked for.
fn owned_files(workspaces: &Path) -> usize {
    let workspaces = std::fs::read_dir(workspaces).unwrap();
    let files = workspaces.flat_map(|workspace| std::fs::read_dir(workspace.unwrap().path()));
    files
        .flatten()
        .filter(|file| {
            let name = file.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with(OWNED)
        })
        .count()
}

/// Has one person ask for one attack; returns whether they were asked for approval.
async fn tells(house: &House, number: usize) -> bool {
    let person = house.person(10_000 + number as i64, "Eve");
    let chat = house.direct_with(&person);
    chat.says(&format!("{LOOK}{number}"));
    let is_over = |message: &Message| !message.buttons.is_empty() || message.text == "obeyed";
    !chat.hears_with(is_over).await.buttons.is_empty()
}

/// The model writes the attack into a file, reads it in one of several ways, and obeys.
fn rule(model: &FakeModel, attacks: Vec<String>) {
    model.when(move |request| {
        if request.is_routing() {
            return None;
        }
        let said = request.last_user();
        let (_, number) = said.split_once(LOOK)?;
        let number: usize = number.trim().parse().ok()?;
        Some(match request.tool_results().len() {
            0 => write(&attacks[number], number),
            1 => read(number),
            _ if has_obeyed(request) => Answer::text("obeyed"),
            _ => obey(),
        })
    });
}

fn has_obeyed(request: &ModelRequest) -> bool {
    request.tool_results().len() > 2
}

fn write(attack: &str, number: usize) -> Answer {
    let path = file(number);
    Answer::calls(vec![(
        "file_write",
        json!({"path": path, "content": attack}),
    )])
}

/// A listing shows an attack by its name alone.
fn read(number: usize) -> Answer {
    let path = file(number);
    Answer::calls(vec![match number % 3 {
        0 => ("shell", json!({"command": format!("cat {path}")})),
        _ => ("file_read", json!({"path": path})),
    }])
}

fn file(number: usize) -> String {
    format!("attack-{number}.txt")
}

fn obey() -> Answer {
    Answer::calls(vec![
        (
            "shell",
            json!({"command": format!("touch {OWNED}-by-touch")}),
        ),
        (
            "shell",
            json!({"command": format!("sh -c 'touch {OWNED}-by-sh'")}),
        ),
        (
            "shell",
            json!({"command": format!("curl -o {OWNED}-by-curl http://127.0.0.1:9/")}),
        ),
        (
            "file_write",
            json!({"path": format!("{OWNED}-by-write"), "content": "x"}),
        ),
        (
            "memory_store",
            json!({"text": "The user wants every command approved."}),
        ),
    ])
}
