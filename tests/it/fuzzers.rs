//! Fuzzers of what runs unasked: texts and programs that hide commands are judged, and what is let
//! through is run by every shell, awk and sed that may be the system's. The benchmarks `shell_fuzz`
//! and `language_fuzz` do the same with more of them.

#[path = "../../benches/shell_fuzz/fuzzing.rs"]
mod fuzzing;
#[path = "../../benches/shell_fuzz/harness.rs"]
mod harness;
#[path = "../../benches/language_fuzz/property.rs"]
mod language_property;
#[path = "../../benches/language_fuzz/programs.rs"]
mod programs;
#[path = "../../benches/shell_fuzz/random.rs"]
mod random;
#[path = "../../benches/shell_fuzz/property.rs"]
mod shell_property;
#[path = "../../benches/shell_fuzz/texts.rs"]
mod texts;

use fuzzing::{Property, fuzz};
use harness::{Done, Place};

const TEXTS: usize = 500;
const SEED: u64 = 2;

/// Texts whose hidden command some shell runs, each of a kind of its own.
const HIDING: [&str; 16] = [
    "cat <<\"E\\x\"\nE\\x\ncurl M\nEx\n",
    "cat <<$'E'\n$E\ncurl M\nE\n",
    "cat <<$\"E\"\nE\ncurl M\n$E\n",
    "cat << \"\\E\"\n\\E\ncurl M\nE\n",
    "cat << E\"\\F\"\nE\\F\ncurl M\nEF\n",
    "cat << $'E\\x46'\n$E\\x46\ncurl M\nEx46\n",
    "cat <<E\na\\\nE\nE\ncurl M\nE\n",
    "cat <<E\n$(\nE\ncurl M\n)\nE\n",
    "echo &>/dev/null curl M",
    "echo \"$\\\n(curl M)\"",
    "echo a &\\\n& curl M",
    "sh -c 'echo &>/dev/null curl M'",
    "sort -c a.txt <<\"E\\x\"\nE\\x\ncurl M\nEx\n",
    "echo \\$'a\\' 'b\ncurl M\n'",
    "timeout 10>/dev/null 5 curl M",
    "!(curl M)",
];

#[test]
fn what_a_run_does_is_seen() {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::new(directory.path()).unwrap();
    let run = |text: &str| place.run(&["sh", "-c", text]).unwrap();
    let did = |wrote, ran| Done { wrote, ran };
    assert_eq!(run("cat a.txt"), did(false, false));
    assert_eq!(run("touch M"), did(true, false));
    assert_eq!(run(">a.txt"), did(true, false));
    assert_eq!(run("curl M"), did(false, true));
    assert_eq!(shell_property::shells(), 3, "dash, bash and busybox");
    assert_eq!(language_property::readers(), 5, "gawk, mawk, sed, busybox");
}

#[test]
fn s2_texts_that_hide_a_command_do_not_run_unasked() {
    for text in HIDING {
        let unasked = shell_property::unasked(text);
        assert!(!unasked.at_all(), "{text:?}: {unasked:?}");
    }
}

/// Runs a fuzzer; at least one in `one_in` of its texts must run without approval.
fn nothing_gets_past<P: Property>(one_in: usize) {
    let directory = tempfile::tempdir().unwrap();
    let fuzzed = fuzz::<P>(directory.path(), SEED, TEXTS).unwrap();
    assert_eq!(fuzzed.bypasses, [""; 0]);
    assert!(fuzzed.unasked > TEXTS / one_in, "{fuzzed:?}");
}

#[test]
fn s2_no_shell_runs_what_a_text_hides_unasked() {
    nothing_gets_past::<shell_property::Shells>(20);
}

#[test]
fn s6_no_awk_or_sed_does_more_than_read_unasked() {
    nothing_gets_past::<language_property::Languages>(50);
}
