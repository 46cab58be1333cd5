//! Ordinary work: the sandbox is of no use when what people ask for does not run in it.

use sayso::bench_support::Access;

use super::Stage;

/// Runs a script in the sandbox and returns what it printed.
#[track_caller]
fn prints(script: &str) -> String {
    let stage = Stage::new();
    let apart = stage.start(script, stage.apart(Access::Workspace)).wait();
    apart.succeeded().to_owned()
}

/// Returns whether a program is there; what a bare system lacks cannot be shown on it.
fn has(program: &str) -> bool {
    let found = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&found).any(|directory| directory.join(program).is_file())
}

#[test]
fn files_are_listed_read_and_searched() {
    let script =
        "echo two > b; echo one > a; ls; cat a b; grep -rn two . ; wc -c a; find . -name b";
    assert_eq!(prints(script), "a\nb\none\ntwo\n./b:1:two\n4 a\n./b\n");
}

#[test]
fn text_is_sorted_cut_and_replaced() {
    let script =
        "printf '3 c\\n1 a\\n2 b\\n' | sort -n | awk '{print $2}' | sed s/b/B/ | tr c C | head -3";
    assert_eq!(prints(script), "a\nB\nC\n");
}

#[test]
fn scripts_here_documents_and_pipes_work() {
    let script = "cat > run.sh <<X
echo \"from \\$1\"
echo told >&2
X
chmod +x run.sh; sh run.sh sh 2> /dev/null; ./run.sh self 2>&1 | cat; echo gone > /dev/null; (exit 3) || echo $?";
    assert_eq!(prints(script), "from sh\nfrom self\ntold\n3\n");
}

#[test]
fn archives_are_packed_and_unpacked() {
    let script = "mkdir -p d/e; echo x > d/e/f; tar czf d.tgz d; rm -r d; tar xzf d.tgz; cat d/e/f; \
                  mv d/e/f g; ln -s g h; cat h; cp -a g i; touch -d 2020-01-01 i; date -r i +%Y";
    assert_eq!(prints(script), "x\nx\n2020\n");
}

#[test]
fn temporary_files_work_and_can_be_moved_into_the_workspace() {
    let script = "t=$(mktemp); echo kept > $t; mv $t here; cat here; d=$(mktemp -d); ls $d; \
                  printf 'b\\na\\n' | sort -S 10K --parallel=1 -T $TMPDIR";
    assert_eq!(prints(script), "kept\na\nb\n");
}

#[test]
fn the_system_can_be_asked() {
    let script = "id -u > /dev/null; date +%Y > /dev/null; uname -s; nproc > /dev/null; \
                  ps > /dev/null 2>&1 || true; head -c 4 /dev/urandom | wc -c; getent passwd 0 | cut -d: -f1; \
                  cat /proc/self/comm; uptime > /dev/null 2>&1 || true; perl -e 'print 6 * 7, \"\\n\"'";
    assert_eq!(prints(script), "Linux\n4\nroot\ncat\n42\n");
}

#[test]
fn git_keeps_a_history() {
    if !has("git") {
        return;
    }
    let script = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
        git init -q repo 2> /dev/null && cd repo && echo one > f && git add f && git commit -qm first \
        && echo two >> f && git diff --stat | tail -1 && git commit -qam second && git log --format=%s \
        && git status --short && git clone -q . ../copy && ls ../copy";
    assert_eq!(
        prints(script),
        " 1 file changed, 1 insertion(+)\nsecond\nfirst\nf\n"
    );
}

#[test]
fn programs_are_compiled_and_run() {
    if !has("cc") {
        return;
    }
    let script = "echo 'int puts(const char *); int main(void) { puts(\"compiled\"); return 0; }' > h.c \
                  && cc -O1 -o h h.c && ./h";
    assert_eq!(prints(script), "compiled\n");
}

#[test]
fn python_runs() {
    if !has("python3") {
        return;
    }
    let script = "python3 -c 'import json, subprocess, tempfile, threading, hashlib
with tempfile.TemporaryFile() as f: f.write(b\"x\")
t = threading.Thread(target=lambda: None); t.start(); t.join()
print(subprocess.run([\"echo\", json.dumps([1])], capture_output=True, text=True).stdout.strip())'";
    assert_eq!(prints(script), "[1]\n");
}

/// Also from the operator's home, where rustup puts it.
#[test]
fn the_rust_toolchain_is_found() {
    if !has("cargo") {
        return;
    }
    let script =
        "cargo --version && rustc --version && cargo init -q --vcs none --name hi hi 2>&1 && ls hi";
    let printed = prints(script);
    assert!(printed.starts_with("cargo 1."), "{printed}");
    assert!(printed.ends_with("Cargo.toml\nsrc\n"), "{printed}");
}
