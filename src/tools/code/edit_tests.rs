//! Tests of the tools that change files.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use sayso_core::transcript::{FileBefore, Scope, SessionId, ToolCall, ToolOutcome};
use sayso_policy::{Access, Action, ClearedCall, Reach, SandboxMode, ToolFacts};
use sayso_sandbox::helper::HelperPath;
use sayso_sandbox::{Sandbox, SandboxPlaces, ShellEnvironment};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    CodeMap, CodeMapRequest, CodePlaces, CodeSearch, EditTool, GlobFileSearch, Grep, PatchHistory,
    PatchStep, ReadFile, SearchSemantic, SeenFile, SeenFiles, SeenStore,
};
use crate::testing::{call, call_context, limits, redactor, scope};
use crate::{ListDir, Shell, Tool, Toolbox};

/// Remembers what calls changed, as the journal does.
#[derive(Default)]
struct History(Mutex<Vec<PatchStep>>);

#[async_trait]
impl PatchHistory for History {
    async fn steps(&self, _scope: &Scope) -> std::io::Result<Vec<PatchStep>> {
        Ok(self.0.lock().unwrap().clone())
    }
}

struct Scene {
    directory: TempDir,
    toolbox: Toolbox,
    history: Arc<History>,
    calls: usize,
}

impl Scene {
    fn new() -> Self {
        Self::in_folder(TempDir::new().unwrap(), SeenFiles::default())
    }

    fn in_folder(directory: TempDir, seen: SeenFiles) -> Self {
        let history = Arc::new(History::default());
        let tools: Vec<Box<dyn Tool>> = vec![
            Box::new(ReadFile::new(limits(), seen.clone())),
            Box::new(EditTool::apply_patch(seen.clone())),
            Box::new(EditTool::write_file(seen.clone())),
            Box::new(EditTool::undo_patch(seen, Arc::clone(&history) as _)),
        ];
        Self {
            toolbox: Toolbox::new(tools, limits(), redactor()),
            directory,
            history,
            calls: 0,
        }
    }

    fn root(&self) -> &Path {
        self.directory.path()
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.root().join(path)).ok()
    }

    fn call(&mut self, tool: &str, arguments: Value) -> ToolCall {
        self.calls += 1;
        let mut call = call(tool, arguments);
        call.id.0 = format!("call-{}", self.calls);
        call
    }

    async fn facts(&self, call: &ToolCall) -> Result<ToolFacts, ToolOutcome> {
        self.toolbox.inspect(call, &scope(self.root())).await
    }

    /// Judges a call, keeps what its files were and runs it.
    async fn does(&mut self, tool: &str, arguments: Value) -> String {
        let call = self.call(tool, arguments);
        match self.facts(&call).await {
            Ok(facts) => self.run(call, &facts).await,
            Err(outcome) => outcome.for_model(),
        }
    }

    async fn run(&mut self, call: ToolCall, facts: &ToolFacts) -> String {
        let cleared = ClearedCall::for_test_of(call, facts, Access::Workspace);
        let before = self.toolbox.before(&cleared, self.root()).await;
        if !before.is_empty() {
            self.history.0.lock().unwrap().push(PatchStep {
                turn: scope(self.root()).turn,
                call: cleared.call().id.clone(),
                files: before,
            });
        }
        let context = call_context(self.root());
        self.toolbox
            .run(cleared, &context)
            .await
            .outcome
            .for_model()
    }

    async fn patches(&mut self, lines: &str) -> String {
        self.does("apply_patch", patch(lines)).await
    }

    /// Returns all files with what they hold.
    fn files(&self) -> Vec<String> {
        let mut files: Vec<String> = std::fs::read_dir(self.root())
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        files
    }
}

fn patch(lines: &str) -> Value {
    json!({ "patch": format!("*** Begin Patch\n{lines}\n*** End Patch\n") })
}

const THREE: &str = "\
*** Update File: a.txt
@@
-one
+1
*** Add File: new/b.txt
+made
*** Delete File: c.txt";

#[tokio::test]
async fn a_patch_changes_makes_and_removes_files_and_is_shown_before() {
    let mut scene = Scene::new();
    scene.write("a.txt", "zero\none\ntwo\n");
    scene.write("c.txt", "gone\n");
    let call = scene.call("apply_patch", patch(THREE));
    let facts = scene.facts(&call).await.unwrap();
    insta::assert_snapshot!(facts.summary.to_string(), @"a.txt +1 -1, c.txt +0 -1, new/b.txt +1 -0");
    insta::assert_snapshot!(facts.detail.clone().unwrap(), @r"
    --- a.txt
    +++ a.txt
     zero
    -one
    +1
     two

    --- c.txt
    +++ /dev/null
    -gone

    --- /dev/null
    +++ new/b.txt
    +made
    ");
    assert_eq!(facts.scripts.len(), 3);
    let told = scene.run(call, &facts).await;
    assert_eq!(told, "changed: a.txt +1 -1, c.txt +0 -1, new/b.txt +1 -0");
    assert_eq!(scene.read("a.txt").as_deref(), Some("zero\n1\ntwo\n"));
    assert_eq!(scene.read("new/b.txt").as_deref(), Some("made\n"));
    assert_eq!(scene.files(), ["a.txt", "new"]);
}

#[tokio::test]
async fn a_file_that_changed_between_judgement_and_run_is_left_alone() {
    let mut scene = Scene::new();
    scene.write("a.txt", "zero\none\ntwo\n");
    scene.write("c.txt", "gone\n");
    let call = scene.call("apply_patch", patch(THREE));
    let facts = scene.facts(&call).await.unwrap();
    scene.write("a.txt", "zero\none\ntwo\nthree\n");
    let told = scene.run(call, &facts).await;
    assert!(told.contains("a file was changed meanwhile"), "{told}");
    assert_eq!(scene.read("c.txt").as_deref(), Some("gone\n"));
    assert_eq!(scene.files(), ["a.txt", "c.txt"]);
}

#[tokio::test]
async fn what_changed_since_it_was_read_is_told_instead_of_overwritten() {
    let mut scene = Scene::new();
    scene.write("a.txt", "one\ntwo\n");
    scene.does("read_file", json!({"path": "a.txt"})).await;
    scene.write("a.txt", "one\nby hand\ntwo\n");
    let change = "*** Update File: a.txt\n@@\n-two\n+2";
    let told = scene.patches(change).await;
    assert!(
        told.contains("`a.txt` has changed since you read it"),
        "{told}"
    );
    assert!(told.contains("+by hand"), "{told}");
    let whole = json!({"path": "a.txt", "content": "mine\n"});
    let told = scene.does("write_file", whole).await;
    assert!(
        told.contains("`a.txt` has changed since you read it"),
        "{told}"
    );
    assert_eq!(scene.read("a.txt").as_deref(), Some("one\nby hand\ntwo\n"));
    scene.does("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(scene.patches(change).await, "changed: a.txt +1 -1");
    // What the model itself wrote is known to it.
    let told = scene.patches("*** Update File: a.txt\n@@\n-2\n+zwei").await;
    assert_eq!(told, "changed: a.txt +1 -1");
}

#[tokio::test]
async fn a_patch_that_does_not_fit_only_reads() {
    let mut scene = Scene::new();
    scene.write("a.txt", "one\n");
    scene.write(".env", "TOKEN=x\n");
    let call = scene.call(
        "apply_patch",
        patch("*** Update File: a.txt\n@@\n-nine\n+9"),
    );
    let facts = scene.facts(&call).await.unwrap();
    assert!(
        matches!(&facts.action, Action::Read { path: Reach::Inside(path) } if path.ends_with("a.txt"))
    );
    // The file became what the patch wants meanwhile: it was judged as reading, and stays that.
    scene.write("a.txt", "nine\n");
    let told = scene.run(call, &facts).await;
    assert!(told.contains("a file was changed meanwhile"), "{told}");
    assert_eq!(scene.read("a.txt").as_deref(), Some("nine\n"));
    let secret = scene.call("apply_patch", patch("*** Update File: .env\n@@\n-nine\n+9"));
    let facts = scene.facts(&secret).await.unwrap();
    assert!(
        matches!(&facts.action, Action::Read { path: Reach::Inside(path) } if path.ends_with(".env"))
    );
    let both = "*** Add File: z.txt\n+z\n*** Update File: .env\n@@\n-TOKEN=x\n+TOKEN=y";
    let call = scene.call("apply_patch", patch(both));
    let facts = scene.facts(&call).await.unwrap();
    assert!(
        matches!(&facts.action, Action::Write { path: Reach::Inside(path) } if path.ends_with(".env"))
    );
}

#[tokio::test]
async fn nothing_outside_and_nothing_of_git_is_changed() {
    let mut scene = Scene::new();
    let elsewhere = TempDir::new().unwrap();
    std::fs::write(elsewhere.path().join("x"), "theirs\n").unwrap();
    symlink(elsewhere.path(), scene.root().join("linked")).unwrap();
    let call = scene.call("apply_patch", patch("*** Add File: linked/new\n+x"));
    let facts = scene.facts(&call).await.unwrap();
    assert!(matches!(
        &facts.action,
        Action::Write {
            path: Reach::Outside(_)
        }
    ));
    let told = scene.run(call, &facts).await;
    assert!(told.contains("leads out of the project"), "{told}");
    let told = scene.patches("*** Add File: ../up\n+x").await;
    assert!(told.contains("`..`"), "{told}");
    let told = scene
        .patches("*** Add File: .git/hooks/pre-commit\n+x")
        .await;
    assert!(told.contains("`.git`"), "{told}");
    assert_eq!(elsewhere.path().read_dir().unwrap().count(), 1);
    assert_eq!(scene.files(), ["linked"]);
}

#[tokio::test]
async fn line_ends_encodings_and_permissions_stay() {
    let mut scene = Scene::new();
    scene.write("run.sh", "#!/bin/sh\r\necho one\r\n");
    let mode = std::fs::Permissions::from_mode(0o750);
    std::fs::set_permissions(scene.root().join("run.sh"), mode).unwrap();
    let told = scene
        .patches("*** Update File: run.sh\n@@\n-echo one\n+echo two")
        .await;
    assert_eq!(told, "changed: run.sh +1 -1");
    assert_eq!(
        scene.read("run.sh").as_deref(),
        Some("#!/bin/sh\r\necho two\r\n")
    );
    let told = scene
        .patches("*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-echo two\n+echo 3")
        .await;
    assert!(told.starts_with("changed: "), "{told}");
    let moved = scene.root().join("bin/run.sh");
    let mode = std::fs::metadata(&moved).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    assert_eq!(scene.files(), ["bin"]);
    scene.write("wide.txt", b"\xff\xfeo\0n\0e\0\n\0");
    let told = scene
        .patches("*** Update File: wide.txt\n@@\n-one\n+two")
        .await;
    assert_eq!(told, "changed: wide.txt +1 -1");
    let bytes = std::fs::read(scene.root().join("wide.txt")).unwrap();
    assert_eq!(bytes, b"\xff\xfet\0w\0o\0\n\0");
    scene.write("picture", b"\x89PNG\0\0");
    let told = scene
        .does("write_file", json!({"path": "picture", "content": "x"}))
        .await;
    assert_eq!(told, "changed: picture +1 -0");
}

#[tokio::test]
async fn each_undo_takes_back_one_change_more() {
    let mut scene = Scene::new();
    scene.write("a.txt", "zero\none\ntwo\n");
    scene.write("c.txt", "gone\n");
    scene.patches(THREE).await;
    scene.patches("*** Update File: a.txt\n@@\n-two\n+2").await;
    let told = scene.does("undo_patch", json!({})).await;
    assert_eq!(told, "changed: a.txt +1 -1");
    assert_eq!(scene.read("a.txt").as_deref(), Some("zero\n1\ntwo\n"));
    let told = scene.does("undo_patch", json!({})).await;
    assert!(told.starts_with("changed: "), "{told}");
    assert_eq!(scene.read("a.txt").as_deref(), Some("zero\none\ntwo\n"));
    assert_eq!(scene.read("c.txt").as_deref(), Some("gone\n"));
    assert_eq!(scene.read("new/b.txt"), None);
    let told = scene.does("undo_patch", json!({})).await;
    assert!(told.contains("no change of this conversation"), "{told}");
    scene.patches("*** Update File: a.txt\n@@\n-two\n+2").await;
    scene.write("a.txt", "by hand\n");
    let told = scene.does("undo_patch", json!({})).await;
    assert!(told.contains("changed since by something else"), "{told}");
    assert_eq!(scene.read("a.txt").as_deref(), Some("by hand\n"));
}

#[tokio::test]
async fn a_step_that_was_begun_and_failed_is_none_to_take_back() {
    let mut scene = Scene::new();
    scene.write("a.txt", "zero\none\n");
    scene.patches("*** Update File: a.txt\n@@\n-one\n+1").await;
    let failed = |scene: &Scene, becomes: &str| {
        let mut steps = scene.history.0.lock().unwrap();
        let mut step = steps[0].clone();
        let digest = crate::code::file_edit::digest;
        step.call.0 = format!("failed-{becomes}");
        step.files[0].was = Some(digest(b"zero\n1\n"));
        step.files[0].becomes = digest(becomes.as_bytes());
        steps.push(step);
    };
    failed(&scene, "zero\n2\n");
    // An undo that failed took nothing back.
    failed(&scene, "zero\none\n");
    let told = scene.does("undo_patch", json!({})).await;
    assert_eq!(told, "changed: a.txt +1 -1");
    assert_eq!(scene.read("a.txt").as_deref(), Some("zero\none\n"));
    let told = scene.does("undo_patch", json!({})).await;
    assert!(told.contains("no change of this conversation"), "{told}");
    assert_eq!(scene.read("a.txt").as_deref(), Some("zero\none\n"));
}

#[tokio::test]
async fn that_a_file_is_so_already_is_said_only_to_who_may_read_it() {
    let mut scene = Scene::new();
    scene.write(".env", "TOKEN=1\n");
    let guess = json!({"path": ".env", "content": "TOKEN=1\n"});
    let call = scene.call("write_file", guess);
    let facts = scene.facts(&call).await.unwrap();
    let read = scene.root().canonicalize().unwrap().join(".env");
    let path = Reach::Inside(read);
    assert_eq!(facts.action, Action::Read { path });
}

/// Stands for a kill after so many files were put in place.
async fn killed_after(done: usize, by_hand: bool) {
    let mut scene = Scene::new();
    scene.write("a.txt", "zero\none\ntwo\n");
    scene.write("c.txt", "gone\n");
    let call = scene.call("apply_patch", patch(THREE));
    let facts = scene.facts(&call).await.unwrap();
    let cleared = ClearedCall::for_test_of(call.clone(), &facts, Access::Workspace);
    let before = scene.toolbox.before(&cleared, scene.root()).await;
    assert_eq!(before.len(), 3);
    scene.write(".sayso-5-call-1-0.tmp", "half");
    scene.write("new/.sayso-5-call-1-2.tmp", "made\n");
    if done > 0 {
        scene.write("a.txt", "zero\n1\ntwo\n");
    }
    if done > 1 {
        std::fs::remove_file(scene.root().join("c.txt")).unwrap();
    }
    if done > 2 {
        scene.write("new/b.txt", "made\n");
    }
    if by_hand {
        scene.write("c.txt", "by hand\n");
    }
    let place = scope(scene.root());
    for _ in 0..2 {
        let finished = scene.toolbox.finish(&call, &place, before.clone()).await;
        let told = finished.unwrap().for_model();
        if by_hand {
            assert!(told.contains("taken back, but for `c.txt`"), "{told}");
            assert_eq!(scene.read("a.txt").as_deref(), Some("zero\none\ntwo\n"));
            assert_eq!(scene.read("c.txt").as_deref(), Some("by hand\n"));
            assert_eq!(scene.read("new/b.txt"), None);
        } else {
            assert!(told.contains("finished after an interruption"), "{told}");
            assert_eq!(scene.read("a.txt").as_deref(), Some("zero\n1\ntwo\n"));
            assert_eq!(scene.read("c.txt"), None);
            assert_eq!(scene.read("new/b.txt").as_deref(), Some("made\n"));
        }
        assert_eq!(scene.read(".sayso-5-call-1-0.tmp"), None);
        assert_eq!(scene.read("new/.sayso-5-call-1-2.tmp"), None);
    }
}

#[tokio::test]
async fn what_a_kill_cut_off_is_finished_or_taken_back() {
    for done in 0..=3 {
        killed_after(done, false).await;
        killed_after(done, true).await;
    }
}

#[tokio::test]
async fn other_calls_are_not_finished() {
    let scene = Scene::new();
    let place = scope(scene.root());
    let before = FileBefore {
        path: "a".to_owned(),
        was: None,
        content: None,
        mode: None,
        becomes: "x".to_owned(),
        own: false,
    };
    let other = call("file_write", json!({"path": "a", "content": "x"}));
    assert_eq!(
        scene.toolbox.finish(&other, &place, vec![before]).await,
        None
    );
    let none = call("apply_patch", patch(THREE));
    assert_eq!(scene.toolbox.finish(&none, &place, Vec::new()).await, None);
}

#[tokio::test]
async fn a_change_too_large_to_be_shown_is_refused() {
    let mut scene = Scene::new();
    let content = format!("{}\n", "x".repeat(600));
    let told = scene
        .does("write_file", json!({"path": "wide", "content": content}))
        .await;
    assert!(told.contains("too much to be shown"), "{told}");
    let content = "line\n".repeat(5000);
    let told = scene
        .does("write_file", json!({"path": "long", "content": content}))
        .await;
    assert!(told.contains("too much to be shown"), "{told}");
    assert!(scene.files().is_empty());
}

/// An index that knows nothing.
struct NoCode;

#[async_trait]
impl CodeSearch for NoCode {
    async fn search(&self, _project: &str, _text: &str, _limit: usize) -> CodePlaces {
        CodePlaces::default()
    }

    async fn map(&self, _project: &str, _request: CodeMapRequest) -> Option<CodeMap> {
        None
    }
}

/// Small models have little room: the tools of a project stay below 4 kB together.
#[test]
fn the_schemas_of_the_code_tools_are_small() {
    let seen = SeenFiles::default();
    let environment = ShellEnvironment::pick(std::env::vars_os());
    let places = SandboxPlaces {
        data_dir: std::env::temp_dir(),
        private: Vec::new(),
    };
    let sandbox = Sandbox::new(SandboxMode::Off, places, []);
    let shell = Shell::new(limits(), HelperPath::own(), environment, sandbox);
    let tools: Vec<Box<dyn Tool>> = vec![
        Box::new(shell.in_projects(redactor())),
        Box::new(ListDir::new()),
        Box::new(ReadFile::new(limits(), seen.clone())),
        Box::new(GlobFileSearch::new()),
        Box::new(Grep::new(limits())),
        Box::new(SearchSemantic::new(limits(), Arc::new(NoCode))),
        Box::new(EditTool::apply_patch(seen.clone())),
        Box::new(EditTool::write_file(seen.clone())),
        Box::new(EditTool::undo_patch(seen, Arc::new(History::default()))),
    ];
    let sizes: Vec<(String, usize)> = tools
        .iter()
        .map(|tool| {
            let spec = tool.spec();
            let parameters = spec.parameters.to_string().len();
            let size = spec.name.len() + spec.description.len() + parameters;
            (spec.name.clone(), size)
        })
        .collect();
    let all: usize = sizes.iter().map(|(_, size)| size).sum();
    assert!(all < 4000, "{all}: {sizes:?}");
}

/// What models saw, for the time after a restart.
#[derive(Default)]
struct KeptSeen(Mutex<Vec<SeenFile>>);

#[async_trait]
impl SeenStore for KeptSeen {
    async fn load(&self, _session: SessionId) -> std::io::Result<Vec<SeenFile>> {
        Ok(self.0.lock().unwrap().clone())
    }

    async fn save(&self, _scope: &Scope, files: Vec<SeenFile>) -> std::io::Result<()> {
        let mut kept = self.0.lock().unwrap();
        for file in files {
            kept.retain(|one| one.path != file.path);
            kept.push(file);
        }
        Ok(())
    }
}

#[tokio::test]
async fn what_was_read_counts_after_a_restart_too() {
    let kept = Arc::new(KeptSeen::default());
    let seen = || SeenFiles::kept_by(Arc::clone(&kept) as _);
    let directory = TempDir::new().unwrap();
    let scene = Scene::in_folder(directory, seen());
    scene.write("a.txt", "one\ntwo\n");
    scene.write("b.txt", "one\n");
    let mut scene = scene;
    scene.does("read_file", json!({"path": "a.txt"})).await;
    scene.does("read_file", json!({"path": "b.txt"})).await;
    let mut scene = Scene::in_folder(scene.directory, seen());
    scene.write("a.txt", "zero\none\ntwo\n");
    let lines = "*** Update File: a.txt\n@@\n-two\n+2";
    let told = scene.patches(lines).await;
    assert!(
        told.contains("`a.txt` has changed since you read it. Read it again"),
        "{told}"
    );
    let told = scene.patches("*** Update File: b.txt\n@@\n-one\n+1").await;
    assert!(told.starts_with("changed: b.txt"), "{told}");
    // What it wrote itself is what it saw last.
    let mut scene = Scene::in_folder(scene.directory, seen());
    let told = scene.patches("*** Update File: b.txt\n@@\n-1\n+I").await;
    assert!(told.starts_with("changed: b.txt"), "{told}");
    scene.does("read_file", json!({"path": "a.txt"})).await;
    let told = scene.patches(lines).await;
    assert!(told.starts_with("changed: a.txt"), "{told}");
}

#[tokio::test]
async fn a_project_whose_folder_is_gone_is_not_made_again() {
    let mut scene = Scene::new();
    let root = scene.root().to_path_buf();
    std::fs::remove_dir(&root).unwrap();
    for (tool, arguments) in [
        ("read_file", json!({"path": "a.txt"})),
        ("write_file", json!({"path": "a.txt", "content": "x"})),
        ("apply_patch", patch("*** Add File: a.txt\n+x")),
    ] {
        let told = scene.does(tool, arguments).await;
        assert!(!told.starts_with("changed"), "{told}");
        assert!(!root.exists(), "{tool}");
    }
}
