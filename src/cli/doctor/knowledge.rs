//! What can be wrong with the operator's texts.

use std::path::Path;

use sayso_channel::Language;
use sayso_memory::knowledge::{Knowledge, Why};

use super::{Finding, messages};

/// Looks at `knowledge/*.md`: how much of it is recalled, and what is not.
pub(super) async fn knowledge(data_dir: &Path, language: Language) -> Vec<Finding> {
    let directory = data_dir.join("knowledge");
    let inventory = Knowledge::open(&directory).inventory().await;
    let mut findings = vec![Finding::Fine(if inventory.files == 0 {
        messages::no_knowledge(language, &directory.display())
    } else {
        messages::knowledge(language, &inventory.files, &inventory.passages)
    })];
    findings.extend(inventory.left_out.iter().map(|left_out| Finding::Problem {
        what: messages::knowledge_left_out(
            language,
            &left_out.source,
            &left_out.why.in_words(language),
        ),
        fix: match left_out.why {
            Why::TooLarge | Why::NoRoom => messages::split_knowledge(language),
            Why::NotText => messages::convert_knowledge(language),
            Why::LeadsOut => messages::copy_knowledge(language),
            Why::NoFile | Why::Unreadable(_) => messages::make_knowledge_readable(language),
            Why::GivesOrders(_) => messages::reword_knowledge(language),
        },
    }));
    findings
}
