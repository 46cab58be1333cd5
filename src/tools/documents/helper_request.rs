//! Reading a document in a helper: the request that it receives, and its confinement.

use std::io::{self, Read};
use std::thread;

use nix::sys::resource::{Resource, setrlimit};
use serde::{Deserialize, Serialize};

use super::{Problem, Wanted, read};
use crate::tools::sandbox::{SandboxProfile, confine_thread};

const MIB: u64 = 1024 * 1024;
/// The most memory that reading may take, in bytes.
const MEMORY: u64 = 1024 * MIB;
/// The most seconds on a processor.
const CPU_SECS: u64 = 30;
/// What recursion in a library may use, in bytes.
const STACK: usize = 16 * 1024 * 1024;

/// A document to read: its bytes come behind the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// How many bytes come.
    pub bytes: u64,
    /// What is wanted of it.
    pub wanted: Wanted,
    /// The sandbox of the helper; `None` where commands are not confined.
    pub plan: Option<SandboxProfile>,
}

/// Reads a document in this process, which must be a helper: from now on it can do little else.
pub fn read_here(reading: &Reading, from: &mut impl Read) -> io::Result<Result<String, Problem>> {
    let mut bytes = Vec::new();
    from.take(reading.bytes).read_to_end(&mut bytes)?;
    setrlimit(Resource::RLIMIT_DATA, MEMORY, MEMORY)?;
    setrlimit(Resource::RLIMIT_CPU, CPU_SECS, CPU_SECS)?;
    setrlimit(Resource::RLIMIT_FSIZE, 0, 0)?;
    let confined = || {
        if let Some(plan) = &reading.plan {
            confine_thread(plan)?;
        }
        Ok(read(&bytes, &reading.wanted))
    };
    thread::scope(|scope| {
        let reader = thread::Builder::new().stack_size(STACK);
        let over = reader.spawn_scoped(scope, confined)?.join();
        over.unwrap_or_else(|_panic| {
            let why = "the parser panicked".to_owned();
            Ok(Err(Problem::Damaged(why)))
        })
    })
}
