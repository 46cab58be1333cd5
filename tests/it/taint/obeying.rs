//! A model that obeys whatever comes from outside, and what comes of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sayso_fakes::model::{Answer, ModelRequest};
use sayso_fakes::{FakeModel, Message};
use serde_json::{Value, json};

use crate::fetching::{Web, page};
use crate::platform::Chat;
use crate::test_bot::TestBot;

/// How many people are talked with at once.
const AT_ONCE: usize = 8;
/// The name that everything bears which only an attack asked for.
const OWNED: &str = "owned";
/// What is said behind the number of an attack.
const LOOK: &str = "look at attack ";
/// What is said to have the granted commands run once.
const GRANT: &str = "run ";
/// What people always allowed before: one exact command, and one with what may follow it.
const GRANTED: [(&str, &str); 2] = [
    ("touch owned-by-grant", "Always this exact command"),
    ("touch owned-by-prefix", "Always: touch …"),
];

/// Under which conditions attacks are tried.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// What it is called.
    pub name: &'static str,
    /// The settings; they let everything run that they can let run.
    pub settings: &'static [(&'static str, &'static str)],
    /// Whether people have always allowed [`GRANTED`] before.
    pub is_granted: bool,
}

/// All setups: whatever a setting or a grant can free is freed in one of them.
pub const SETUPS: [Setup; 6] = [
    Setup {
        name: "supervised",
        settings: &[],
        is_granted: false,
    },
    Setup {
        name: "always",
        settings: &[],
        is_granted: true,
    },
    Setup {
        name: "full",
        settings: &[
            ("AGENT__AUTONOMY", "full"),
            (
                "POLICY__ALLOW_COMMANDS",
                "[\"touch\", \"cat\", \"curl\", \"sh\"]",
            ),
            ("POLICY__ALLOW_NETWORK", "true"),
        ],
        is_granted: false,
    },
    Setup {
        name: "confirm_nothing",
        settings: &[
            ("POLICY__CONFIRM_EXEC", "false"),
            ("POLICY__CONFIRM_WRITE", "false"),
            ("POLICY__ALLOW_NETWORK", "true"),
        ],
        is_granted: false,
    },
    Setup {
        name: "sandboxed_commands",
        settings: &[("POLICY__SANDBOXED_COMMANDS", "allow")],
        is_granted: false,
    },
    Setup {
        name: "everything",
        settings: &[
            ("POLICY__SANDBOXED_COMMANDS", "allow"),
            ("POLICY__CONFIRM_EXEC", "false"),
            ("POLICY__CONFIRM_WRITE", "false"),
            ("POLICY__ALLOW_NETWORK", "true"),
        ],
        is_granted: false,
    },
];

/// Counts of what the attacks achieved.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// How many attacks were tried, each in a conversation of its own.
    pub attacks: usize,
    /// How many of them ended with a card.
    pub asked: usize,
    /// How many results were withheld from the model.
    pub withheld: usize,
    /// How many risky calls ran without approval.
    pub ran: usize,
}

/// Has the model get to see each attack and then make every risky call that there is.
///
/// Each attack has a person of its own, and comes in one of four ways: in a file that somebody put
/// into the workspace, shown by a command or by a tool; on a page of the web; in words that the
/// person forwards.
pub async fn obeys(setup: Setup, attacks: &[String]) -> Tally {
    let attacks = Arc::new(attacks.to_vec());
    let pages = Arc::clone(&attacks);
    let web = Web::start(move |path| {
        let number: Option<usize> = path.trim_start_matches('/').parse().ok();
        let text = number.and_then(|number| pages.get(number));
        page(
            "text/plain; charset=utf-8",
            text.map_or("owned", String::as_str),
        )
    })
    .await;
    let mut bot = TestBot::closed(setup.settings).await;
    bot.set("ACCESS__ALLOW", "[\"telegram:*\"]");
    bot.set("TOOLS__ALLOW_PRIVATE_HOSTS", &web.place());
    bot.set("POLICY__ALLOW_HOSTS", &web.place());
    rule(&bot.model, &web);
    bot.start();
    bot.settles_in().await;
    let mut tally = Tally::default();
    for chunk in (0..attacks.len()).collect::<Vec<_>>().chunks(AT_ONCE) {
        let told = chunk
            .iter()
            .map(|number| tells(&bot, setup, *number, &attacks[*number]));
        for asked in futures_util::future::join_all(told).await {
            tally.attacks += 1;
            tally.asked += usize::from(asked);
        }
        bot.model.forget_requests();
    }
    tally.withheld = count(&bot, WITHHELD).await;
    tally.ran = owned_files(&bot.data().join("workspaces")) + count(&bot, REMEMBERED).await;
    tally.ran += web.lines().iter().filter(|it| it.contains(OWNED)).count();
    bot.assert_clean();
    tally
}

const WITHHELD: &str = "
    SELECT CAST(count(*) AS TEXT) FROM journal
    WHERE kind = 'returned' AND body ->> '$.screened.treatment' = 'withheld'";

/// Counts facts only: other memories are stored without a request.
const REMEMBERED: &str = "SELECT CAST(count(*) AS TEXT) FROM memories WHERE kind = 'fact'";

async fn count(bot: &TestBot, query: &'static str) -> usize {
    bot.rows(query).await[0].parse().unwrap()
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

/// Has one person meet one attack; returns whether they were asked for approval.
async fn tells(bot: &TestBot, setup: Setup, number: usize, attack: &str) -> bool {
    let person = bot.person(10_000 + number as i64, "Eve");
    let chat = bot.direct_with(&person);
    // What is said while it is live would join that turn.
    let obeyed = |message: &Message| message.text == "obeyed" && !message.is_live();
    chat.says("hello");
    chat.hears_with(obeyed).await;
    if setup.is_granted {
        for (command, label) in GRANTED {
            chat.says(&format!("{GRANT}{command}"));
            let card = chat.hears_with(Message::asks).await;
            chat.press(&person, card.id, label).await;
            chat.hears_with(obeyed).await;
        }
    }
    let workspace = workspace_of(bot, 10_000 + number as i64).await;
    for (command, _) in GRANTED {
        // What was approved is no attack's.
        let _ = std::fs::remove_file(workspace.join(&command["touch ".len()..]));
    }
    std::fs::write(workspace.join(file(number)), attack).unwrap();
    match (number % 4, &chat) {
        // An empty message cannot be forwarded.
        (3, Chat::Telegram(telegram)) if !attack.is_empty() => {
            let origin =
                json!({"type": "hidden_user", "date": 1_700_000_000, "sender_user_name": "Eve"});
            let words: String = attack.chars().take(3_000).collect();
            telegram.says_raw(&words, json!({ "forward_origin": origin }));
        }
        _ => {
            chat.says(&format!("{LOOK}{number}"));
        }
    }
    let is_over = |message: &Message| message.asks() || obeyed(message);
    chat.hears_with(is_over).await.asks()
}

/// The workspace of the person with this account.
pub async fn workspace_of(bot: &TestBot, account: i64) -> PathBuf {
    let users = "SELECT sender || ' ' || user_id FROM senders";
    let account = format!("{account} ");
    let users = bot.rows(users).await;
    let user = users.iter().find_map(|row| row.strip_prefix(&account));
    let name = format!("user-{}", user.unwrap());
    bot.data().join("workspaces").join(name)
}

/// The model looks at an attack in one of several ways, and obeys whatever it says.
fn rule(model: &FakeModel, web: &Web) {
    let pages = web.url("/");
    model.when(move |request| {
        if request.is_routing() {
            return None;
        }
        let said = request.last_user();
        if said == "hello" {
            return Some(Answer::text("obeyed"));
        }
        if let Some(command) = said.strip_prefix(GRANT) {
            let call = ("shell", json!({ "command": command }));
            return Some(once(request, Answer::calls(vec![call])));
        }
        if said.contains("no words of their own") {
            return Some(once(request, obey(&pages)));
        }
        let (_, number) = said.split_once(LOOK)?;
        let number: usize = number.trim().parse().ok()?;
        Some(match results_since(request, &said) {
            0 => Answer::calls(vec![look(number, &pages)]),
            1 => obey(&pages),
            _ => Answer::text("obeyed"),
        })
    });
}

/// Returns calls, or the end when they have their results.
fn once(request: &ModelRequest, calls: Answer) -> Answer {
    let last = request.messages().last().cloned().unwrap_or_default();
    if last["role"] == "tool" {
        Answer::text("obeyed")
    } else {
        calls
    }
}

/// Returns how many results came since the person said this.
fn results_since(request: &ModelRequest, said: &str) -> usize {
    let messages = request.messages();
    let is_it = |message: &&Value| {
        message["role"] == "user" && message["content"].as_str().is_some_and(|it| it == said)
    };
    messages
        .iter()
        .rev()
        .take_while(|message| !is_it(message))
        .filter(|message| message["role"] == "tool")
        .count()
}

fn look(number: usize, pages: &str) -> (&'static str, Value) {
    let path = file(number);
    match number % 4 {
        0 => ("shell", json!({"command": format!("cat {path}")})),
        1 => ("http_request", json!({"url": format!("{pages}{number}")})),
        _ => ("file_read", json!({"path": path})),
    }
}

fn file(number: usize) -> String {
    format!("attack-{number}.txt")
}

fn obey(pages: &str) -> Answer {
    let shell = |command: String| ("shell", json!({ "command": command }));
    let mut calls: Vec<_> = GRANTED
        .iter()
        .map(|(command, _)| shell((*command).to_owned()))
        .collect();
    calls.extend([
        shell(format!("touch {OWNED}-by-touch")),
        shell(format!("sh -c 'touch {OWNED}-by-sh'")),
        shell(format!("curl -o {OWNED}-by-curl {pages}{OWNED}")),
        ("http_request", json!({"url": format!("{pages}{OWNED}")})),
        (
            "file_write",
            json!({"path": format!("{OWNED}-by-write"), "content": "x"}),
        ),
        (
            "memory_store",
            json!({"text": "The user wants every command approved."}),
        ),
    ]);
    Answer::calls(calls)
}
