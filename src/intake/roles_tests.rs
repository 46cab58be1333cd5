//! Roles at intake: they apply as the platform reports them with each event, and are not
//! remembered.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use sayso_channel::{
    Address, Addressed, ChatKind, Event, EventKey, HeardMessage, Inbound, Press, Sender, SenderKind,
};
use tempfile::TempDir;

use super::{
    Access, AccountRule, Accounts, Effects, IntakeContext, RateLimits, SandboxWords, event,
};
use crate::audit::Auditor;
use crate::delivery::Dispatcher;
use crate::policy::SecurityPolicy;
use crate::sessions::SessionLimits;
use crate::skills::{Library, Skills};
use crate::store::Store;

const MEMBERS: &str = "77";

struct Opened {
    store: Store,
    ctx: Arc<IntakeContext>,
    _directory: TempDir,
}

/// Opens a door that lets in who has the role.
async fn open() -> Opened {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let redactor = crate::redact::Redactor::new([]).unwrap();
    let (_desk, outbox) =
        Dispatcher::new(store.clone(), Arc::new(HashMap::new()), redactor.clone());
    let ctx = IntakeContext {
        access: Access {
            owners: vec![],
            allow: vec![AccountRule {
                channel: "chat".into(),
                accounts: Accounts::Role(MEMBERS.to_owned()),
            }],
            pairing: false,
        },
        outbox,
        auditor: Auditor::new(redactor),
        limits: SessionLimits {
            concurrent_turns: 1,
            turn_timeout: std::time::Duration::from_mins(1),
            while_busy: crate::sessions::WhileBusy::Steer,
            approval_expires_ms: 1000,
            workspaces: PathBuf::new(),
            language: None,
            learning: None,
        },
        policy: SecurityPolicy::default(),
        sandbox: SandboxWords::default(),
        missing_provider: false,
        library: Arc::new(Library::without_choices(Skills::builtin().unwrap())),
        model: String::new(),
        models: vec![],
        changed: vec![],
        health: vec![],
        embedder: None,
        waiting_logins: tokio::sync::watch::channel(std::collections::BTreeSet::new()).1,
        tools_left_out: Arc::new(std::collections::BTreeSet::new),
        rates: RateLimits::new(),
        budget: Arc::default(),
        logs: PathBuf::new(),
    };
    Opened {
        store,
        ctx: Arc::new(ctx),
        _directory: directory,
    }
}

impl Opened {
    async fn receives(&self, inbound: Inbound) -> Effects {
        let ctx = Arc::clone(&self.ctx);
        self.store
            .write(move |tx| Box::pin(async move { event::receive(tx, &ctx, inbound).await }))
            .await
            .unwrap()
    }

    /// Returns whether a message becomes a job.
    async fn takes(&self, inbound: Inbound) -> bool {
        !self.receives(inbound).await.signals.is_empty()
    }

    /// Returns the notice that a press gets.
    async fn tells(&self, inbound: Inbound) -> String {
        let receipt = self.receives(inbound).await.receipt;
        receipt.notice.unwrap().text
    }
}

/// Returns an event of the one account there is.
fn by(roles: &[&str], chat_kind: ChatKind, id: &str, event: Event) -> Inbound {
    Inbound {
        address: Address::chat("chat", id),
        chat_kind,
        thread_title: None,
        sender: Sender {
            key: "5".into(),
            name: "Ann".to_owned(),
            language: None,
            kind: SenderKind::Person,
            roles: roles.iter().map(|role| (*role).to_owned()).collect(),
            handle: None,
        },
        key: EventKey {
            kind: "message".to_owned(),
            id: id.to_owned(),
            version: 0,
        },
        at_ms: 0,
        event,
    }
}

fn says(roles: &[&str], chat_kind: ChatKind, id: &str) -> Inbound {
    let message = HeardMessage {
        message: id.into(),
        text: "hello".to_owned(),
        addressed: match chat_kind {
            ChatKind::Direct => Addressed::Direct,
            ChatKind::Group => Addressed::Mention,
        },
        command: None,
        quoted: None,
        attachments: vec![],
        album: None,
        edited: false,
        unsupported: None,
    };
    by(roles, chat_kind, id, Event::Message(Box::new(message)))
}

fn presses(roles: &[&str], id: &str) -> Inbound {
    let press = Press {
        token: "y:00".to_owned(),
        message: None,
    };
    by(roles, ChatKind::Group, id, Event::Press(press))
}

#[tokio::test]
async fn a_role_lets_in_where_it_is_known_and_as_long_as_it_is_given() {
    let opened = open().await;
    assert!(!opened.takes(says(&[], ChatKind::Group, "1")).await);
    assert!(
        opened
            .takes(says(&["1", MEMBERS], ChatKind::Group, "2"))
            .await
    );
    assert!(!opened.takes(says(&["1"], ChatKind::Group, "3")).await);
    assert!(!opened.takes(says(&[], ChatKind::Direct, "4")).await);
    assert!(opened.takes(says(&[MEMBERS], ChatKind::Group, "5")).await);
}

#[tokio::test]
async fn who_may_press_is_who_has_the_role_when_it_is_pressed() {
    let opened = open().await;
    let with_role = opened.tells(presses(&[MEMBERS], "1")).await;
    assert_eq!(with_role, "This button does nothing here.");
    let without = opened.tells(presses(&["1"], "2")).await;
    assert_eq!(without, "This button is not for you.");
}
