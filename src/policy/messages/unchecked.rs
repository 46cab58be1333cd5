//! What is said of a command whose files cannot all be checked between the card and the run.

use sayso_core::Language;

/// Returns that what a command runs may change until it runs, as its card says it.
pub(crate) fn unchecked(language: Language) -> &'static str {
    match language {
        Language::English => {
            "the files that it runs may have changed by the time it runs: I cannot check all of them"
        }
        Language::Chinese => "它要运行的文件在执行前可能会有变化：我无法全部核对",
    }
}
