//! The real program: started with the configuration of a stranger's first day, watched from
//! outside, killed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::process::{Child, Command};

use crate::world::World;

/// The program as `cargo bench` built it.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_sayso");

/// Has the model asked for the answer after the route, as each build can.
pub const ONE_AFTER_THE_OTHER: &str = "[agent]\nrouting = \"two_phase\"\n";

/// Changes of the kernel from a thread to another.
#[derive(Debug, Default, Clone, Copy)]
pub struct ContextSwitches {
    /// Because the thread waited.
    pub voluntary: u64,
    /// Because its time was over, or another thread went first.
    pub others: u64,
}

/// A running Sayso; dropping it kills it.
pub struct Process {
    child: Child,
    time_to_hear: Duration,
}

impl Process {
    /// Starts the program on a home directory, with one call of the model after the other, and
    /// returns once it hears people.
    pub async fn start(world: &World, home: &Path) -> anyhow::Result<Self> {
        Self::start_with(world, home, ONE_AFTER_THE_OTHER).await
    }

    /// The same, with more lines in its configuration.
    pub async fn start_with(world: &World, home: &Path, more: &str) -> anyhow::Result<Self> {
        Self::start_program(Path::new(PROGRAM), world, home, more).await
    }

    /// The same for any build of the program.
    pub async fn start_program(
        program: &Path,
        world: &World,
        home: &Path,
        more: &str,
    ) -> anyhow::Result<Self> {
        let configuration = configuration(world, home) + more;
        fs::write(home.join("sayso.toml"), configuration)?;
        let log = File::options()
            .create(true)
            .append(true)
            .open(home.join("log"))?;
        let started = Instant::now();
        let child = Command::new(program)
            .args(["--config", "sayso.toml"])
            .current_dir(home)
            .env_clear()
            .env("HOME", home)
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            // As the unit and the image in `deploy/` have it.
            .env("MALLOC_ARENA_MAX", "2")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .context("cannot start sayso")?;
        let heard = world.is_heard_since(started).await;
        Ok(Self {
            child,
            time_to_hear: heard - started,
        })
    }

    /// Returns how long it took from the start to the first poll on Telegram, to the IDENTIFY on
    /// Discord.
    pub fn time_to_hear(&self) -> Duration {
        self.time_to_hear
    }

    /// Ends it as a power cut does, and returns when it is gone.
    pub async fn kill(mut self) -> anyhow::Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Returns the memory that is resident now, in MiB.
    pub fn resident_mib(&self) -> anyhow::Result<f64> {
        self.status_mib("VmRSS:")
    }

    /// Returns the most memory that was ever resident, in MiB.
    pub fn peak_mib(&self) -> anyhow::Result<f64> {
        self.status_mib("VmHWM:")
    }

    /// Returns how many files, sockets and pipes it has open.
    pub fn open_files(&self) -> anyhow::Result<usize> {
        Ok(fs::read_dir(self.proc_file("fd")?)?.count())
    }

    /// Returns the processor time used so far.
    pub fn processor_time(&self) -> anyhow::Result<Duration> {
        let stat = fs::read_to_string(self.proc_file("stat")?)?;
        let behind_name = stat.rsplit(')').next().unwrap_or_default();
        // Fields 14 and 15 of proc(5), counted behind the name, in hundredths of a second.
        let ticks = behind_name.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
        Ok(Duration::from_millis(ticks * 10))
    }

    /// Returns how often the kernel changed from one of its threads to another so far, because the
    /// thread waited and because it was interrupted. Threads that have ended are not counted.
    pub fn context_switches(&self) -> anyhow::Result<ContextSwitches> {
        let mut switches = ContextSwitches::default();
        for thread in fs::read_dir(self.proc_file("task")?)? {
            // A thread may end between the two.
            let Ok(status) = fs::read_to_string(thread?.path().join("status")) else {
                continue;
            };
            let count = |field: &str| {
                let line = status.lines().find_map(|line| line.strip_prefix(field));
                line.and_then(|count| count.trim().parse::<u64>().ok())
                    .unwrap_or_default()
            };
            switches.voluntary += count("voluntary_ctxt_switches:");
            switches.others += count("nonvoluntary_ctxt_switches:");
        }
        Ok(switches)
    }

    fn status_mib(&self, field: &str) -> anyhow::Result<f64> {
        let status = fs::read_to_string(self.proc_file("status")?)?;
        let kib = status
            .lines()
            .find_map(|line| line.strip_prefix(field)?.split_whitespace().next())
            .with_context(|| format!("no {field} in the status of the process"))?;
        Ok(kib.parse::<f64>()? / 1024.0)
    }

    fn proc_file(&self, name: &str) -> anyhow::Result<PathBuf> {
        let id = self.child.id().context("it has ended")?;
        Ok(PathBuf::from(format!("/proc/{id}/{name}")))
    }
}

/// Returns the size of the program, in MiB.
pub fn program_mib() -> anyhow::Result<f64> {
    Ok(fs::metadata(PROGRAM)?.len() as f64 / 1024.0 / 1024.0)
}

/// Returns a first configuration: the addresses of the two services, and access for everybody. All
/// other settings have their defaults.
fn configuration(world: &World, home: &Path) -> String {
    format!(
        r#"
data_dir = "{home}/data"
[channels.{platform}]
token = "{token}"
api_url = "{service}"
[access]
allow = {everybody}
[[providers]]
name = "main"
kind = "openai"
base_url = "{model}"
model = "fake-large"
"#,
        home = home.display(),
        platform = world.platform.name(),
        everybody = world.platform.everybody(),
        token = world.service.token(),
        service = world.service.url(),
        model = world.model.url(),
    )
}
