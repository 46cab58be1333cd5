//! The sandbox of this instance, and its self-test, which runs while the rest starts.

use sayso_channel::Language;
use sayso_policy::{Confinement, Enforced, SandboxMode};
use sayso_sandbox::helper::HelperPath;
use sayso_sandbox::{Sandbox, SandboxPlaces, SandboxState, ShellEnvironment, self_test};
use tokio::task::JoinHandle;

use crate::commands::SandboxWords;
use crate::config::Config;

/// A sandbox whose self-test is on its way.
pub struct Testing {
    mode: SandboxMode,
    test: JoinHandle<(Sandbox, SandboxState)>,
}

/// A sandbox, and what its self-test found.
pub struct Tested {
    /// The sandbox.
    pub sandbox: Sandbox,
    /// What it is worth, as the policy judges by it.
    pub confinement: Confinement,
    /// The same for people.
    pub words: SandboxWords,
}

/// Builds the sandbox and begins its self-test. The data directory must be ours alone.
pub fn begin(config: &Config) -> Testing {
    let config = config.clone();
    Testing {
        mode: config.policy.confinement.mode,
        test: tokio::spawn(async move {
            let sandbox = build(&config);
            if let Err(error) = sandbox.clear() {
                tracing::warn!(%error, "cannot remove temporary files of earlier commands");
            }
            let state = test(&sandbox).await;
            (sandbox, state)
        }),
    }
}

impl Testing {
    /// Waits for the self-test, 5 s at most, and says what it found in the log.
    pub async fn end(self) -> anyhow::Result<Tested> {
        let (sandbox, state) = self.test.await?;
        let words = state.in_words(Language::English);
        match (self.mode, state.enforced) {
            (SandboxMode::Off, _) => {
                tracing::warn!("`policy.sandbox` is off: commands run unconfined");
            }
            (_, Enforced::Wholly) => tracing::info!("sandbox: {words}"),
            (SandboxMode::Require | SandboxMode::Prefer, Enforced::Partly | Enforced::Nothing) => {
                tracing::warn!("sandbox: {words}");
            }
        }
        let confinement = Confinement {
            mode: self.mode,
            enforced: state.enforced,
        };
        Ok(Tested {
            sandbox: sandbox.with(&state),
            confinement,
            words: SandboxWords {
                chinese: state.in_words(Language::Chinese),
                english: words,
            },
        })
    }
}

/// Finds out what the sandbox of this configuration is worth on this machine, also beside a
/// running Sayso.
pub async fn sandbox_state(config: &Config) -> SandboxState {
    test(&build(config)).await
}

/// Builds the sandbox and says what it is worth, without a word: for a command that runs by itself.
pub async fn tested(config: &Config) -> (Sandbox, Confinement) {
    let sandbox = build(config);
    let state = test(&sandbox).await;
    let confinement = Confinement {
        mode: config.policy.confinement.mode,
        enforced: state.enforced,
    };
    (sandbox.with(&state), confinement)
}

/// Builds the sandbox without testing it.
pub fn build(config: &Config) -> Sandbox {
    let places = SandboxPlaces {
        data_dir: config.data_dir.clone(),
        private: config
            .file
            .iter()
            .chain(&config.secret_files)
            .cloned()
            .collect(),
    };
    Sandbox::new(config.policy.confinement.mode, places, std::env::vars_os())
}

async fn test(sandbox: &Sandbox) -> SandboxState {
    let environment = ShellEnvironment::pick(std::env::vars_os());
    self_test(sandbox, &HelperPath::own(), &environment).await
}
