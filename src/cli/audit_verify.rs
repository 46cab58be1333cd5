//! `sayso audit verify`: whether the audit is what was written.

use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use sayso_channel::Language;

use super::exit::Exit;
use super::messages;
use crate::audit::{self, AUDIT_FILE, Head};
use crate::config::Config;

/// Checks table and file, and says what holds or what is wrong first.
pub(super) async fn verify(
    config: &Config,
    file: Option<&Path>,
    noted: Option<&Head>,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let usual = config.data_dir.join(AUDIT_FILE);
    let file = file.unwrap_or(&usual);
    let readers = sayso_store::open_to_read(&config.store_path)
        .await
        .with_context(|| format!("cannot open `{}`", config.store_path.display()))?;
    match audit::verify(&readers, file, noted).await? {
        Ok(verified) => {
            let Some(head) = verified.head else {
                writeln!(output, "{}", messages::audit_is_empty(language))?;
                return Ok(Exit::Fine);
            };
            let count = head.seq;
            let said = messages::audit_holds(language, &count, &verified.payloads, &file.display());
            writeln!(output, "{said}")?;
            writeln!(
                output,
                "{}",
                messages::audit_head(language, &head.seq, &head.hash)
            )?;
            Ok(Exit::Fine)
        }
        Err(broken) => {
            let what = audit::broken(broken, language);
            let said = messages::audit_is_broken(language, &what, &file.display());
            writeln!(output, "{said}")?;
            Ok(Exit::Failed)
        }
    }
}
