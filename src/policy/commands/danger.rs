//! What the words of a command say of danger beyond its rule: that data leaves the machine, and
//! that something is deleted by a program that does other things too.
//!
//! It adds reasons for the card and changes nothing about what becomes of a command.

use super::gravity::Gravity;
use super::reasons;
use super::rules::program_name;
use super::traits::Trait;
use super::verdict::{CommandDecision, Verdict};
use super::word::Word;

/// Programs that have nothing to do but to talk to somebody.
const TALKING: [&str; 16] = [
    "nc",
    "ncat",
    "netcat",
    "socat",
    "telnet",
    "ftp",
    "sftp",
    "lftp",
    "mail",
    "mailx",
    "sendmail",
    "mutt",
    "smbclient",
    "mosquitto_pub",
    "rclone",
    "swaks",
];
/// What a program of the network does when it sends.
const SENDING: [&str; 13] = [
    "push",
    "publish",
    "upload",
    "send",
    "send-email",
    "put",
    "put-object",
    "deploy",
    "import",
    "release",
    "POST",
    "PUT",
    "PATCH",
];
/// Methods of HTTP that carry data.
const METHODS: [&str; 3] = ["POST", "PUT", "PATCH"];
/// Options of curl that carry data.
const CURL_LONG: [&str; 6] = [
    "--data",
    "--form",
    "--upload-file",
    "--json",
    "--url-query",
    "--mail-from",
];
const CURL_SHORT: [char; 3] = ['d', 'F', 'T'];
/// Options of curl behind which the rest of a word is a value.
const CURL_VALUES: &str = "AbcCDeEhHKmoPQrtuUwxXyYz";
/// Options of wget that carry data.
const WGET: [&str; 4] = ["--post", "--body", "--method=P", "--method=p"];
/// What says, as a whole word, that something is deleted.
const DELETING: [&str; 21] = [
    "-delete",
    "--delete",
    "--delete-after",
    "--delete-before",
    "--delete-during",
    "--delete-excluded",
    "--remove-files",
    "--remove-source-files",
    "delete",
    "destroy",
    "drop",
    "purge",
    "prune",
    "rm",
    "rmi",
    "rb",
    "erase",
    "flushall",
    "flushdb",
    "delete-object",
    "terminate-instances",
];
/// Options of `git push` that overwrite or delete branches at the other end.
const OVERWRITING_PUSH: [&str; 6] = ["-f", "--force", "--mirror", "--delete", "-d", "--prune"];
/// What says so inside of code in another language, in lower case.
const DELETING_CODE: [&str; 13] = [
    "rmtree(",
    "unlink(",
    "os.remove(",
    "os.rmdir(",
    "rmsync(",
    "rmdirsync(",
    "unlinksync(",
    "removeall(",
    "rm -r",
    "rm -f",
    "drop table",
    "drop database",
    "delete from ",
];

/// Adds the reasons that the words give.
pub(super) fn added_to(verdict: Verdict, words: &[Word]) -> Verdict {
    let Some((first, rest)) = words.split_first() else {
        return verdict;
    };
    if verdict.decision != CommandDecision::Ask {
        return verdict;
    }
    let name = program_name(&first.text);
    let is_online = verdict.traits.has(Trait::Network);
    let mut verdict = verdict;
    if sends(name, rest, is_online) {
        if name == "git" {
            // What its rule says is plainer than that it sends data.
            verdict
                .reasons
                .raise_open(Gravity::Installs, Gravity::Sends);
        } else {
            verdict.reasons.drop_plain(Gravity::Network);
            let host = rest.iter().rev().find_map(|word| host_of(&word.text));
            verdict = verdict.and_reason(Gravity::Sends, reasons::sends_to(host));
        }
    }
    let word = match name {
        // What git deletes here its rules say; its words are messages and names.
        "git" => overwriting_push(rest),
        _ => deleting(&verdict, rest),
    };
    match word {
        Some(word) => verdict.and_reason(Gravity::Destroys, reasons::deletes(word)),
        None => verdict,
    }
}

fn sends(name: &str, words: &[Word], is_online: bool) -> bool {
    let texts = || words.iter().map(|word| word.text.as_str());
    match name {
        "curl" => texts().any(is_data_of_curl) || has_method(words),
        "wget" => texts().any(|word| WGET.iter().any(|option| word.starts_with(option))),
        "http" | "https" | "httpie" | "xh" | "xhs" => {
            let is_item = |word: &str| word.contains('=') && !word.contains("://");
            has_method(words) || texts().any(is_item)
        }
        "scp" | "rsync" => texts()
            .next_back()
            .is_some_and(|word| remote_host(word).is_some()),
        "aws" | "gsutil" | "s3cmd" | "mc" => {
            let last = texts().rfind(|word| !word.starts_with('-'));
            last.is_some_and(|word| word.contains("://")) || says(words, &SENDING)
        }
        name if TALKING.contains(&name) => true,
        _ => is_online && says(words, &SENDING),
    }
}

/// Returns the word by which `git push` overwrites or deletes what is there.
fn overwriting_push(words: &[Word]) -> Option<&str> {
    let mut texts = words.iter().map(|word| word.text.as_str());
    texts.by_ref().find(|word| *word == "push")?;
    texts.find(|word| {
        OVERWRITING_PUSH.contains(word)
            || word.starts_with("--force-with-lease")
            || word.starts_with(['+', ':'])
    })
}

/// Returns whether one of the first operands is one of these words.
fn says(words: &[Word], wanted: &[&str]) -> bool {
    let operands = words.iter().filter(|word| !word.text.starts_with('-'));
    operands
        .take(3)
        .any(|word| wanted.contains(&word.text.as_str()))
}

fn has_method(words: &[Word]) -> bool {
    words.iter().any(|word| {
        let text = word.text.strip_prefix("-X").unwrap_or(&word.text);
        let text = text.strip_prefix("--request=").unwrap_or(text);
        METHODS
            .iter()
            .any(|method| text.eq_ignore_ascii_case(method))
    })
}

fn is_data_of_curl(word: &str) -> bool {
    if let Some(long) = word.strip_prefix("--") {
        return CURL_LONG
            .iter()
            .any(|option| long.starts_with(option.trim_start_matches('-')));
    }
    let Some(letters) = word.strip_prefix('-') else {
        return false;
    };
    let value = |letter: char| CURL_VALUES.contains(letter) || CURL_SHORT.contains(&letter);
    let first = letters.chars().find(|letter| value(*letter));
    first.is_some_and(|letter| CURL_SHORT.contains(&letter))
}

/// Returns the word that says that something is deleted. A program that only changes files names
/// them with its words.
fn deleting<'w>(verdict: &Verdict, words: &'w [Word]) -> Option<&'w str> {
    if verdict.traits.has(Trait::Destructive) {
        return None;
    }
    let names_files = verdict.traits.has(Trait::Writes) && !verdict.traits.has(Trait::Network);
    let mut operands = 0;
    words.iter().map(|word| word.text.as_str()).find(|word| {
        let is_option = word.starts_with('-');
        operands += usize::from(!is_option);
        let is_said = DELETING.contains(word) && (is_option || (operands <= 3 && !names_files));
        is_said || deletes_in_code(word)
    })
}

fn deletes_in_code(word: &str) -> bool {
    let is_code = word.contains([' ', '(']);
    is_code && {
        let text = word.to_lowercase();
        DELETING_CODE.iter().any(|code| text.contains(code))
    }
}

/// Returns the host that a word names: in a URL, as the place of a copy, or behind an `@`.
fn host_of(word: &str) -> Option<&str> {
    if let Some((_, rest)) = word.split_once("://") {
        let authority = rest.split(['/', '?', '#']).next()?;
        let host = authority.rsplit('@').next()?;
        return Some(host).filter(|host| !host.is_empty());
    }
    let is_option = word.starts_with('-');
    let address = || {
        let (_, host) = word.split_once('@')?;
        let is_host = host.contains('.') && !host.contains(['/', ' ']);
        is_host.then_some(host)
    };
    let named = || {
        let is_host = word.contains('.')
            && word
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || ".-:".contains(letter));
        let is_number = word
            .chars()
            .all(|letter| letter.is_ascii_digit() || letter == '.');
        let has_top = word
            .rsplit('.')
            .next()
            .is_some_and(|top| top.chars().all(|letter| letter.is_ascii_alphabetic()));
        let is_address = is_number && word.split('.').count() == 4;
        (is_host && (is_address || (has_top && !is_file(word)))).then_some(word)
    };
    (!is_option)
        .then(|| remote_host(word).or_else(address).or_else(named))
        .flatten()
}

/// Returns whether a word with a dot is a file rather than a host, by its ending.
fn is_file(word: &str) -> bool {
    const ENDINGS: [&str; 16] = [
        "txt", "md", "json", "csv", "log", "tar", "gz", "zip", "db", "sql", "toml", "yaml", "yml",
        "pdf", "html", "xml",
    ];
    let ending = word.rsplit('.').next().unwrap_or_default();
    ENDINGS.contains(&ending)
}

/// Returns the host of `host:path` and `user@host:path`, as copying programs write them.
fn remote_host(word: &str) -> Option<&str> {
    if let Some(rest) = word.strip_prefix("rsync://") {
        return rest.split('/').next();
    }
    let (place, _) = word.split_once(':')?;
    let host = place.rsplit('@').next()?;
    let is_host = !host.is_empty() && !place.contains('/') && !word.starts_with('-');
    is_host.then_some(host)
}

#[cfg(test)]
mod tests {
    use super::host_of;
    use crate::commands::{Gravity, Places, judge};

    fn gravest(command: &str) -> String {
        judge(command, Places::AsWritten).why.en
    }

    #[test]
    fn sending_is_told_from_fetching() {
        for command in [
            "curl -s https://example.org/up -d @a/list.txt",
            "curl -sSd@a https://example.org",
            "curl -XPOST https://example.org",
            "curl --data-binary @a https://example.org",
            "wget --post-file=a https://example.org",
            "scp a bob@example.org:b",
            "rsync -a src example.org:dst",
            "nc example.org 80",
            "http example.org name=value",
        ] {
            assert_eq!(
                gravest(command),
                "it sends data to `example.org`",
                "{command}"
            );
        }
        for command in ["git push origin main", "npm publish", "docker push web"] {
            let told = judge(command, Places::AsWritten).reasons;
            let sends = told.list().iter().any(|it| it.gravity == Gravity::Sends);
            assert!(sends, "{command}: {told:?}");
        }
        for command in [
            "curl https://example.org",
            "curl -o d https://example.org",
            "curl -H 'a: d' https://example.org",
            "wget https://example.org",
            "scp example.org:b a",
            "git fetch",
        ] {
            assert!(!gravest(command).contains("sends"), "{command}");
        }
    }

    #[test]
    fn deleting_is_found_where_a_program_does_other_things_too() {
        for command in [
            "find . -name '*.log' -delete",
            "rsync -a --delete src/ dst/",
            "kubectl delete pod web",
            "gh repo delete a/b",
            "docker volume rm data",
            "python3 -c 'import shutil; shutil.rmtree(\"photos\")'",
            "psql -c 'DROP TABLE users'",
        ] {
            assert!(
                gravest(command).contains("for good"),
                "{command}: {}",
                gravest(command)
            );
        }
        for command in ["mkdir rm", "git commit -m 'delete from list'", "touch drop"] {
            assert!(!gravest(command).contains("for good"), "{command}");
        }
    }

    #[test]
    fn a_host_is_read_from_urls_places_and_addresses() {
        for (word, host) in [
            (
                "https://me:pw@example.org:8443/a?b",
                Some("example.org:8443"),
            ),
            ("bob@example.org:a", Some("example.org")),
            ("bob@example.org", Some("example.org")),
            ("10.0.0.8", Some("10.0.0.8")),
            ("notes.txt", None),
            ("src/a", None),
            ("-d", None),
        ] {
            assert_eq!(host_of(word), host, "{word}");
        }
    }
}
