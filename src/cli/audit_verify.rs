//! `sayso audit verify`: whether the audit is what was written.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context as _;
use sayso_channel::Language;
use serde::Serialize;

use super::exit::Exit;
use super::messages;
use super::output_style::{Form, OutputStyle, print_json};
use crate::audit::{self, AUDIT_FILE, Broken, Head, Verified};
use crate::config::Config;

/// Checks table and file, and says what holds or what is wrong first.
pub(super) async fn verify(
    config: &Config,
    file: Option<&Path>,
    noted: Option<&Head>,
    style: OutputStyle,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let usual = config.data_dir.join(AUDIT_FILE);
    let file = file.unwrap_or(&usual);
    let readers = sayso_store::open_to_read(&config.store_path)
        .await
        .with_context(|| format!("cannot open `{}`", config.store_path.display()))?;
    let verified = audit::verify(&readers, file, noted).await?;
    let ok = verified.is_ok();
    match style.form {
        Form::Json => print_json(output, &JsonReport::of(verified, file))?,
        Form::Plain => print(verified, file, style.language, output)?,
    }
    Ok(if ok { Exit::Fine } else { Exit::Failed })
}

fn print(
    verified: Result<Verified, Broken>,
    file: &Path,
    language: Language,
    output: &mut impl Write,
) -> io::Result<()> {
    match verified {
        Ok(verified) => {
            let Some(head) = verified.head else {
                return writeln!(output, "{}", messages::audit_is_empty(language));
            };
            let (count, payloads) = (head.seq, verified.payloads);
            let said = messages::audit_holds(language, &count, &payloads, &file.display());
            writeln!(output, "{said}")?;
            let said = messages::audit_head(language, &head.seq, &head.hash);
            writeln!(output, "{said}")
        }
        Err(broken) => {
            let what = audit::broken(broken, language);
            let said = messages::audit_is_broken(language, &what, &file.display());
            writeln!(output, "{said}")
        }
    }
}

/// What was verified, as scripts read it.
#[derive(Serialize)]
struct JsonReport {
    /// Whether table and file are what was written.
    ok: bool,
    /// The export.
    file: String,
    /// The number of entries; absent when the audit is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<i64>,
    /// How many of them have what they are about.
    #[serde(skip_serializing_if = "Option::is_none")]
    payloads: Option<u64>,
    /// The newest entry, as `--head` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<String>,
    /// What is wrong first.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl JsonReport {
    fn of(verified: Result<Verified, Broken>, file: &Path) -> Self {
        let file = file.display().to_string();
        match verified {
            Ok(Verified { head, payloads }) => Self {
                ok: true,
                file,
                entries: Some(head.as_ref().map_or(0, |head| head.seq)),
                payloads: Some(payloads),
                head: head.map(|head| format!("{}:{}", head.seq, head.hash)),
                problem: None,
            },
            Err(broken) => Self {
                ok: false,
                file,
                entries: None,
                payloads: None,
                head: None,
                problem: Some(audit::broken(broken, Language::English)),
            },
        }
    }
}
