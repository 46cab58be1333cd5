//! What it costs that a page is read by a helper: its start, its sandbox and its end, beside the
//! reading itself.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sayso_policy::SandboxMode;
use sayso_sandbox::helper::{HelperPath, SealedHelper, SealedLimits, SealedTask};
use sayso_sandbox::{Sandbox, SandboxPlaces};
use serde_json::json;
use tokio::runtime::Runtime;

/// As many as `page_reader.rs` allows.
const LIMITS: SealedLimits = SealedLimits {
    memory: 768 * 1024 * 1024,
    cpu_secs: 10,
};
/// How often each page is read.
const ROUNDS: usize = 5;

/// Has pages read by the program, as the product does.
pub(crate) struct Helper {
    sealed: SealedHelper,
    runtime: Runtime,
}

impl Helper {
    pub(crate) fn of_this_build() -> anyhow::Result<Self> {
        let places = SandboxPlaces {
            data_dir: PathBuf::from("/nonexistent"),
            private: Vec::new(),
        };
        let sandbox = Sandbox::new(SandboxMode::Require, places, std::env::vars_os());
        let program = HelperPath::at(env!("CARGO_BIN_EXE_sayso"));
        Ok(Self {
            sealed: SealedHelper::new(program, sandbox),
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?,
        })
    }

    /// Returns how many milliseconds a page takes, as the median of some readings.
    pub(crate) fn milliseconds(&self, markup: &str) -> anyhow::Result<f64> {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let task = SealedTask {
                wanted: json!({"page": "main"}),
                limits: LIMITS,
                within: Duration::from_secs(20),
            };
            let begun = Instant::now();
            let asked = self.sealed.ask(Path::new("/"), task, markup.as_bytes());
            self.runtime.block_on(asked)?;
            times.push(begun.elapsed());
        }
        times.sort();
        Ok(times[ROUNDS / 2].as_secs_f64() * 1000.0)
    }
}
