//! What is said of files that come with messages, to the model and to the person.

use sayso_channel::AttachmentKind;
use sayso_channel::Language;
use sayso_channel::text;
use sayso_core::visible::visible_line;
use sayso_providers::VisionSupport;
use sayso_tools::{MAX_INCOMING_BYTES, SavedFile, is_unseen_picture};

/// Why a file did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missed {
    /// It is larger than any file may be.
    TooLarge,
    /// The folder of the workspace is full.
    NoRoom,
    /// The platform does not hand it out, or not any more.
    Gone,
    /// The platform did not answer.
    Unreachable,
    /// It could not be written.
    Unwritable,
    /// There are too many in one message.
    TooMany,
}

/// How much of a file's own name is shown, in characters.
const NAME_CHARS: usize = 80;
const MB: u64 = 1024 * 1024;

/// Names a file that was kept, for the model.
pub fn arrived(kind: AttachmentKind, kept: &SavedFile, language: Language) -> String {
    let (what, path) = (name_of(kind, language), &kept.path);
    let size = size(kept.bytes);
    let comma = text!(language, "list-clauses");
    let kind_of_file = if kept.kind.is_empty() {
        String::new()
    } else {
        format!("{comma}{}", kept.kind)
    };
    let beyond = if is_unseen_picture(&kept.kind) {
        unseen(language)
    } else {
        beyond_us(kind, language)
    };
    text!(
        language,
        "agent-file-arrived",
        what,
        path,
        kind_of_file,
        size,
        beyond
    )
}

/// What the model must know of a kind that it cannot take in.
fn beyond_us(kind: AttachmentKind, language: Language) -> &'static str {
    match kind {
        AttachmentKind::Photo | AttachmentKind::Document => "",
        AttachmentKind::Voice | AttachmentKind::Audio => {
            text!(language, "agent-file-beyond-us-voice-audio")
        }
        AttachmentKind::Video => text!(language, "agent-file-beyond-us-video"),
    }
}

/// Tells the model about a picture whose format no model accepts. The person is informed
/// separately.
fn unseen(language: Language) -> &'static str {
    text!(language, "agent-file-unseen")
}

/// Says of a picture that no model is shown what would be seen, for the person.
pub fn cannot_see(kept: &SavedFile, sight: VisionSupport, language: Language) -> Option<String> {
    if !is_unseen_picture(&kept.kind) {
        return None;
    }
    let SavedFile { path, kind, .. } = kept;
    let said = text!(language, "agent-file-cannot-see", kind, path);
    let blind = match sight {
        VisionSupport::Sees => "",
        VisionSupport::None => text!(language, "agent-file-blind"),
    };
    Some(said + blind)
}

/// Says in the place of a file that it did not come, for the model.
pub fn not_arrived(
    kind: AttachmentKind,
    name: Option<&str>,
    missed: Missed,
    language: Language,
) -> String {
    let (what, why) = (name_of(kind, language), why(missed, language));
    let called = name.map_or_else(String::new, |name| format!(" {}", quoted(name)));
    text!(language, "agent-file-not-arrived", what, called, why)
}

/// Says that a file did not come, for the person.
pub fn could_not_fetch(
    kind: AttachmentKind,
    name: Option<&str>,
    missed: Missed,
    language: Language,
) -> String {
    let most = MAX_INCOMING_BYTES / MB;
    let it = match name {
        Some(name) => text!(language, "agent-file-named", name = quoted(name)),
        None => text!(
            language,
            "agent-file-unnamed",
            kind = name_of(kind, language)
        ),
    };
    let said = match missed {
        Missed::TooLarge => text!(language, "agent-file-could-not-fetch-too-large", it, most),
        Missed::NoRoom => text!(language, "agent-file-could-not-fetch-no-room", it),
        Missed::Gone => text!(language, "agent-file-could-not-fetch-gone", it),
        Missed::Unreachable => text!(language, "agent-file-could-not-fetch-unreachable", it),
        Missed::Unwritable => text!(language, "agent-file-could-not-fetch-unwritable", it),
        Missed::TooMany => text!(language, "agent-file-could-not-fetch-too-many", it),
    };
    capitalized(said.trim())
}

/// Returns a sentence with its first letter in upper case.
fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn why(missed: Missed, language: Language) -> String {
    let most = MAX_INCOMING_BYTES / MB;
    match missed {
        Missed::TooLarge => text!(language, "agent-file-why-too-large", most),
        Missed::NoRoom => text!(language, "agent-file-why-no-room").to_owned(),
        Missed::Gone => text!(language, "agent-file-why-gone").to_owned(),
        Missed::Unreachable => text!(language, "agent-file-why-unreachable").to_owned(),
        Missed::Unwritable => text!(language, "agent-file-why-unwritable").to_owned(),
        Missed::TooMany => text!(language, "agent-file-why-too-many").to_owned(),
    }
}

fn name_of(kind: AttachmentKind, language: Language) -> &'static str {
    match kind {
        AttachmentKind::Photo => text!(language, "agent-file-name-of-photo"),
        AttachmentKind::Document => text!(language, "agent-file-name-of-document"),
        AttachmentKind::Voice => text!(language, "agent-file-name-of-voice"),
        AttachmentKind::Audio => text!(language, "agent-file-name-of-audio"),
        AttachmentKind::Video => text!(language, "agent-file-name-of-video"),
    }
}

/// Returns a name that anybody may have given, so that it stays one name on one line.
fn quoted(name: &str) -> String {
    let name: String = visible_line(name).chars().take(NAME_CHARS).collect();
    format!("`{}`", name.replace(['`', '[', ']'], "_"))
}

fn size(bytes: u64) -> String {
    if bytes < MB {
        format!("{} kB", bytes.div_ceil(1000))
    } else {
        format!("{}.{} MB", bytes / MB, bytes % MB * 10 / MB)
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language::{Chinese, English};

    use super::*;

    fn kept(path: &str, kind: &str, bytes: u64) -> SavedFile {
        SavedFile {
            path: path.to_owned(),
            kind: kind.to_owned(),
            image: None,
            bytes,
        }
    }

    #[test]
    fn files_are_named_as_what_they_are() {
        let report = kept("inbox/report.pdf", "PDF", 240_000);
        let line = |kind, kept: &SavedFile, language| arrived(kind, kept, language);
        insta::assert_snapshot!(line(AttachmentKind::Document, &report, English), @"[file: inbox/report.pdf, PDF, 240 kB]");
        insta::assert_snapshot!(line(AttachmentKind::Photo, &report, Chinese), @"[图片：inbox/report.pdf，PDF，240 kB]");
        let outbox = kept("inbox/voice", "", 3 * MB + MB / 2);
        insta::assert_snapshot!(line(AttachmentKind::Voice, &outbox, English), @"[voice message: inbox/voice, 3.5 MB; kept, but you cannot listen to it: say so]");
        insta::assert_snapshot!(line(AttachmentKind::Video, &outbox, Chinese), @"[视频：inbox/voice，3.5 MB；已保存，但你看不了，请如实说明]");
    }

    #[test]
    fn what_did_not_come_is_told_to_both() {
        let name = Some("a`b\n].mp4");
        let kind = AttachmentKind::Video;
        insta::assert_snapshot!(not_arrived(kind, name, Missed::TooLarge, English), @r"[video `a_b\n_.mp4` is not here: it is larger than 20 MB; the person was informed]");
        insta::assert_snapshot!(could_not_fetch(kind, name, Missed::TooLarge, English), @r"`a_b\n_.mp4` is over 20 MB, the most I can receive here.");
        let kind = AttachmentKind::Photo;
        insta::assert_snapshot!(could_not_fetch(kind, None, Missed::Gone, Chinese), @"图片（已）无法获取，请重新发送。");
    }

    #[test]
    fn chat_f19_a_picture_that_no_one_sees_is_told_to_both() {
        let heic = kept("inbox/IMG_1.HEIC", "HEIC", 124);
        let line = arrived(AttachmentKind::Document, &heic, English);
        insta::assert_snapshot!(line, @"[file: inbox/IMG_1.HEIC, HEIC, 1 kB; kept, but you cannot see pictures of this kind; the person was informed]");
        let said = |sight, language| cannot_see(&heic, sight, language).unwrap();
        insta::assert_snapshot!(said(VisionSupport::Sees, English), @"⚠️ I cannot see HEIC pictures. I kept `inbox/IMG_1.HEIC`; to have me look at it, please send it as a photo, or as JPEG or PNG.");
        insta::assert_snapshot!(said(VisionSupport::None, Chinese), @"⚠️ 我看不了 HEIC 图片。已保存 `inbox/IMG_1.HEIC`；想让我看，请作为照片发送，或改用 JPEG、PNG。（现在回答的模型看不了任何图片。）");
        assert_eq!(
            cannot_see(&kept("a.png", "PNG", 1), VisionSupport::Sees, English),
            None
        );
    }
}
