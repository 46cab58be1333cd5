//! The platforms that a scenario runs on, and what it needs of each: chats, people and faults.
//!
//! A scenario is a plain `async fn name(platform: Platform)`; [`on_both`] makes a test of it on
//! each platform.

mod chat;
mod trouble;

use sayso_fakes::Person;

pub use chat::Chat;
pub use trouble::Trouble;

/// The platform that a scenario runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// A Telegram bot account.
    Telegram,
    /// A Discord bot account.
    Discord,
}

impl Platform {
    /// Returns the name of the platform as accounts begin with it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Telegram => "telegram",
            Self::Discord => "discord",
        }
    }

    /// Returns the user id of the person whom the tests know by this small number.
    pub fn user_id(self, number: i64) -> i64 {
        match self {
            Self::Telegram => number,
            // Nineteen digits, as real ones of today have.
            Self::Discord => 1_300_000_000_000_000_000 + number,
        }
    }

    /// Returns the list of these people as `[access]` wants it.
    pub fn accounts(self, numbers: &[i64]) -> String {
        let name = self.name();
        let account = |number: &i64| format!(r#""{name}:{}""#, self.user_id(*number));
        let accounts: Vec<String> = numbers.iter().map(account).collect();
        format!("[{}]", accounts.join(", "))
    }

    /// Returns the list of everybody as `[access]` wants it.
    pub fn everybody(self) -> &'static str {
        match self {
            Self::Telegram => r#"["telegram:*"]"#,
            Self::Discord => r#"["discord:*"]"#,
        }
    }

    /// Returns how long a message may be: in UTF-16 units on Telegram, in characters on Discord.
    pub fn longest_text(self) -> usize {
        match self {
            Self::Telegram => 4096,
            Self::Discord => 2000,
        }
    }

    /// Returns what a presser is told of an outcome that the pressed message shows as well: on
    /// Discord nothing, since a notice has to be dismissed there.
    pub fn echo(self, notice: &str) -> Option<&str> {
        match self {
            Self::Telegram => Some(notice),
            Self::Discord => None,
        }
    }

    /// Returns a person's account as `/whoami` tells it.
    pub fn account(self, person: &Person) -> String {
        format!("{}:{}", self.name(), person.id)
    }
}

/// Makes a test of each tale on each platform, `telegram::NAME` and `discord::NAME`.
macro_rules! on_both {
    ($($tale:ident),+ $(,)?) => {
        mod telegram {
            $(
                #[test]
                fn $tale() {
                    crate::platform::tell(super::$tale, crate::platform::Platform::Telegram);
                }
            )+
        }
        mod discord {
            $(
                #[test]
                fn $tale() {
                    crate::platform::tell(super::$tale, crate::platform::Platform::Discord);
                }
            )+
        }
    };
}
pub(crate) use on_both;

/// Tells a tale to its end.
pub fn tell<T: Future<Output = ()>>(tale: impl FnOnce(Platform) -> T, platform: Platform) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    // What stands in the tale is compared twice, once on each platform.
    insta::allow_duplicates! {
        runtime.block_on(tale(platform));
    }
}

/// Returns how many messages a stop says that it dropped.
pub fn dropped_by(text: &str) -> usize {
    let said = text.lines().find(|line| line.contains("still waiting"));
    let sentence = said.and_then(|line| {
        let sentences = line.trim_start_matches("⏹ ").split(". ");
        sentences
            .into_iter()
            .find(|it| it.contains("still waiting"))
    });
    match sentence.and_then(|sentence| sentence.split(' ').next()) {
        Some("One") => 1,
        Some(count) => count.parse().unwrap_or_default(),
        None => 0,
    }
}
