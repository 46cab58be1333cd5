//! `sayso skills install`: shows a skill that somebody else wrote, asks, and copies it into place.
//!
//! A user of this command line owns the data directory, so the answer counts as an owner's. The
//! command needs the directory exclusively: while Sayso runs, `/skills install` in a chat does the
//! same.

use std::io::{BufRead, Write};
use std::path::Path;

use sayso_channel::Language;
use sayso_store::{Store, new_id, skill_pins};

use super::exit::Exit;
use super::{messages, progress};
use crate::app;
use crate::commands;
use crate::config::Config;
use crate::skills::{self, Candidate, Library, NamedIn};

/// Asks about the skill at a source, and installs it after a yes.
pub(super) async fn install(
    config: &Config,
    source: &str,
    language: Language,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let _directory = sayso_store::lock_directory(&config.data_dir)?;
    let store = Store::open(&config.store_path).await?;
    let (sandbox, confinement) = app::tested(config).await;
    let library = app::library(config, &store, sandbox, confinement).await?;
    let here = Path::new(".");
    let taken = library.at_source(source, NamedIn::Terminal, here);
    let candidate = match progress::during(messages::fetching_skill(language), taken).await? {
        Ok(candidate) => candidate,
        Err(refusal) => {
            let why = skills::messages::refusal(&refusal, language);
            let said = messages::skill_not_taken(language, &source, &why);
            writeln!(output, "{said}")?;
            return Ok(Exit::Failed);
        }
    };
    writeln!(output, "{}\n", candidate.review.text)?;
    writeln!(
        output,
        "{}\n",
        commands::skill_to_install(source, &candidate, language)
    )?;
    write!(output, "{} ", messages::install_skill(language))?;
    output.flush()?;
    let mut answer = String::new();
    input.read_line(&mut answer)?;
    let is_yes = matches!(answer.trim(), "y" | "Y" | "yes" | "是");
    let said = if is_yes {
        place(&store, &library, &candidate).await?;
        messages::skill_installed(language, &candidate.review.name)
    } else {
        messages::skill_left(language)
    };
    writeln!(output, "{said}")?;
    store.close().await;
    Ok(if is_yes { Exit::Fine } else { Exit::Failed })
}

/// Puts a skill in place, and keeps what was shown as what was approved.
async fn place(store: &Store, library: &Library, candidate: &Candidate) -> anyhow::Result<()> {
    let (places, pin) = (library.places(), candidate.pin.clone());
    let id = new_id();
    places.stage(id, &candidate.taken.content)?;
    places.put(id, &pin.name, &pin.hash).map_err(|refusal| {
        anyhow::anyhow!(skills::messages::refusal(&refusal, Language::English))
    })?;
    let place = candidate.place;
    let pinned =
        store.write(move |tx| Box::pin(async move { skill_pins::put(tx, place, &pin).await }));
    pinned.await?;
    Ok(places.tidy(&[])?)
}
