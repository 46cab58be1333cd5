//! What the doctor prints about machines, accounts and models that are well or are not.

use sayso_fakes::{FakeEmbedder, FakeModel, FakeTelegram};
use sayso_providers::{EmbedderSource, EmbeddingsConfig};
use sayso_store::Store;

use super::*;
use crate::config::{self, EmbedderConfig, Environment};

/// A directory for the data and the configuration in it.
struct Patient {
    place: tempfile::TempDir,
}

impl Patient {
    fn new() -> Self {
        Self {
            place: tempfile::tempdir().unwrap(),
        }
    }

    fn data_dir(&self) -> std::path::PathBuf {
        self.place.path().join("data")
    }

    /// Examines this configuration; paths of this test, free space and the sandbox are blotted out.
    async fn examine(&self, text: &str) -> (Exit, String) {
        self.examine_in(text, Language::English).await
    }

    async fn examine_in(&self, text: &str, language: Language) -> (Exit, String) {
        let path = self.place.path().join("sayso.toml");
        std::fs::write(&path, text).unwrap();
        let data_dir = self.data_dir().to_string_lossy().into_owned();
        let environment = Environment::from_iter([
            ("SAYSO__DATA_DIR", data_dir),
            // A unit test is not the binary that its self-test needs.
            ("SAYSO__POLICY__SANDBOX", "off".to_owned()),
        ]);
        let loaded = config::load(Some(&path), &environment);
        let mut output = Vec::new();
        let examined = doctor(loaded, OutputStyle::of(false, language), &mut output);
        let exit = Box::pin(examined).await.unwrap();
        (exit, self.plain(&String::from_utf8(output).unwrap()))
    }

    fn plain(&self, output: &str) -> String {
        let lines = output
            .lines()
            .filter(|line| !line.starts_with("ok  disk: ") && !line.starts_with("ok  sandbox: "))
            .filter(|line| !line.starts_with("ok  磁盘："));
        let text = lines.collect::<Vec<_>>().join("\n");
        text.replace(self.place.path().to_str().unwrap(), "")
    }
}

fn telegram_and_model(telegram: &FakeTelegram, model: &FakeModel) -> String {
    format!(
        "[channels.telegram]\ntoken = '{}'\napi_url = '{}'\n\
         [access]\nowners = ['telegram:7']\n\
         [[providers]]\nmodel = 'tiny'\napi_key = 'sk-1'\nbase_url = '{}'\n",
        telegram.token(),
        telegram.url(),
        model.url(),
    )
}

fn in_english(finding: &Finding) -> String {
    finding.in_words(Language::English)
}

#[tokio::test]
async fn u8_healthy_running_bot_has_no_problems() {
    let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
    let text = telegram_and_model(&telegram, &model);
    let patient = Patient::new();
    let _running = sayso_store::lock_directory(&patient.data_dir()).unwrap();
    let process = std::process::id();
    for (language, running, owner) in [
        (
            Language::English,
            format!("ok  running: process {process} uses this data directory, /data"),
            "ok  owners: telegram:7",
        ),
        (
            Language::Chinese,
            format!("ok  正在运行：进程 {process} 使用此数据目录 /data"),
            "ok  管理者：telegram:7",
        ),
    ] {
        let (exit, output) = patient.examine_in(&text, language).await;
        assert_eq!(exit, Exit::Fine, "{output}");
        for line in [running.as_str(), owner] {
            assert!(output.lines().any(|said| said == line), "{line}\n{output}");
        }
    }
}

#[tokio::test]
async fn u8_unwritable_directory_is_one_problem() {
    let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
    let text = telegram_and_model(&telegram, &model);
    let patient = Patient::new();
    std::fs::write(patient.data_dir(), "a file in its place").unwrap();
    let (exit, output) = patient.examine(&text).await;
    assert_eq!(exit, Exit::Failed);
    insta::assert_snapshot!(output.replace(&model.url(), "MODEL"), @r"
    ok  configuration: /sayso.toml
    ok  clock: plausible
    !!  the data directory /data cannot be written: a file of that name is in the way
        fix: give it to the account that Sayso runs as (`chown`), or set `data_dir` to another directory
    ok  Telegram: the token belongs to @sayso_bot
    ok  Telegram: privacy mode is off, so in groups the bot hears everything; it answers only when addressed
    ok  owners: telegram:7
    ok  model main: the service answers; it is asked for `tiny`
    ok  memory: found by words; with `[memory.embedder]` also by meaning

    1 to fix.
    ");
}

#[tokio::test]
async fn u8_report_is_in_one_language() {
    let text = "[channels.telegram]\ntoken = '1:abc'\napi_url = 'http://127.0.0.1:9'\n\
                [access]\nowners = ['telegram:7']\n\
                [[providers]]\nmodel = 'tiny'\napi_key = 'sk-1'\nbase_url = 'http://127.0.0.1:9/v1'\n";
    let patient = Patient::new();
    let (exit, output) = patient.examine_in(text, Language::Chinese).await;
    assert_eq!(exit, Exit::Failed);
    for line in [
        "!!  Telegram：连不上（连接被拒绝）",
        "!!  模型 main：连不上模型服务（连接被拒绝）",
        "有 2 个问题需要处理。",
    ] {
        assert!(output.lines().any(|said| said == line), "{line}\n{output}");
    }
    for english in ["fix:", "refused", "reach", "owner"] {
        assert!(!output.contains(english), "{english}\n{output}");
    }
}

#[tokio::test]
async fn healthy_patient_has_no_problems() {
    let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
    let patient = Patient::new();
    let (exit, output) = patient
        .examine(&telegram_and_model(&telegram, &model))
        .await;
    assert_eq!(exit, Exit::Fine, "{output}");
    let output = output.replace(&model.url(), "MODEL");
    insta::assert_snapshot!(output, @r"
    ok  configuration: /sayso.toml
    ok  clock: plausible
    ok  data directory: /data can be written and is not in use
    ok  log: /data/logs/sayso.log, secrets hidden
    ok  database: /data/sayso.db will be created at the first start
    ok  knowledge: none; Markdown files in /data/knowledge are recalled for everybody
    ok  Telegram: the token belongs to @sayso_bot
    ok  Telegram: privacy mode is off, so in groups the bot hears everything; it answers only when addressed
    ok  owners: telegram:7
    ok  model main: the service answers; it is asked for `tiny`
    ok  memory: found by words; with `[memory.embedder]` also by meaning

    No problems.
    ");
}

#[tokio::test]
async fn every_problem_comes_with_its_fix() {
    let telegram = FakeTelegram::start().await;
    let model = FakeModel::start().await;
    model.requires_key("sk-other");
    let text = telegram_and_model(&telegram, &model).replace(telegram.token(), "1:wrong");
    let patient = Patient::new();
    let _running = sayso_store::lock_directory(&patient.data_dir()).unwrap();
    std::fs::write(
        patient.data_dir().join("sayso.db"),
        "this is no database, it is a letter",
    )
    .unwrap();
    let (exit, output) = patient.examine(&text).await;
    assert_eq!(exit, Exit::Failed);
    let output = output
        .replace(&format!("process {}", std::process::id()), "process PID")
        .replace(&telegram.url(), "TELEGRAM")
        .replace(&model.url(), "MODEL");
    insta::assert_snapshot!(output, @r"
    ok  configuration: /sayso.toml
    ok  clock: plausible
    ok  running: process PID uses this data directory, /data
    ok  log: /data/logs/sayso.log, secrets hidden
    !!  the database /data/sayso.db cannot be read: it is damaged or is no SQLite file: file is not a database
        fix: stop Sayso and put a backup in its place; `sayso.db.before-*` lies beside it after an update
    ok  knowledge: none; Markdown files in /data/knowledge are recalled for everybody
    !!  Telegram: the platform refuses the token: Telegram answered 401; the token or the address of the Bot API server is wrong; BotFather shows the token
        fix: take the token from @BotFather (/mybots, the bot, API Token) and set `channels.telegram.token`
    ok  owners: telegram:7
    !!  model main: the model service refuses (HTTP 401): Incorrect API key provided.
        fix: check the provider's `api_key`, and that the account behind it may use the model
    ok  memory: found by words; with `[memory.embedder]` also by meaning

    3 to fix.
    ");
}

#[tokio::test]
async fn model_f6_embedder_is_asked_and_told_of() {
    let embedder = FakeEmbedder::start().await;
    let configured = |key: &str| EmbedderConfig {
        source: EmbedderSource::Server(EmbeddingsConfig {
            base_url: embedder.url().parse().unwrap(),
            api_key: Some(key.into()),
            model: "tiny".to_owned(),
            dimensions: None,
            timeout: std::time::Duration::from_secs(20),
        }),
        min_similarity: 0.25,
    };
    embedder.requires_key("sk-1");
    let well = outside::embedder(Some(&configured("sk-1")), Language::English).await;
    insta::assert_snapshot!(in_english(&well), @"ok  memory: found by words and by meaning; `tiny` answers with 64 numbers");
    // model_f6: a window that is shorter than a memory is reported, with the server's reason.
    embedder.reads_at_most(512);
    let short = outside::embedder(Some(&configured("sk-1")), Language::English).await;
    insta::assert_snapshot!(in_english(&short), @"ok  memory: found by words and by meaning; `tiny` answers with 64 numbers; long memories are embedded in parts, because it refuses them whole: the model service refuses (HTTP 413): input (2000 tokens) is too large to process. increase the physical batch size (current batch size: 512)");
    let ill = outside::embedder(Some(&configured("sk-2")), Language::English).await;
    insta::assert_snapshot!(in_english(&ill), @r"
    !!  memory: found by words alone, because the embedder `tiny` does not answer: the model service refuses (HTTP 401): Incorrect API key provided.
        fix: check the provider's `api_key`, and that the account behind it may use the model
    ");
}

#[tokio::test]
async fn nothing_configured_says_what_to_set() {
    let (exit, output) = Patient::new().examine("").await;
    assert_eq!(exit, Exit::Failed);
    insta::assert_snapshot!(output, @r"
    ok  configuration: /sayso.toml
    ok  clock: plausible
    ok  data directory: /data can be written and is not in use
    ok  log: /data/logs/sayso.log, secrets hidden
    ok  database: /data/sayso.db will be created at the first start
    ok  knowledge: none; Markdown files in /data/knowledge are recalled for everybody
    ok  channels: none is configured, so `sayso` opens a chat in the terminal
    ok  owners: none is configured; the first person with the code that `sayso` prints at its start becomes the owner
    !!  no model is configured
        fix: run `sayso init`, or set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `DEEPSEEK_API_KEY`
    ok  memory: found by words; with `[memory.embedder]` also by meaning

    1 to fix.
    ");
}

#[tokio::test]
async fn bad_configuration_is_all_that_is_said() {
    let (exit, output) = Patient::new().examine("[agent]\nmax_step = 3").await;
    assert_eq!(exit, Exit::Failed);
    insta::assert_snapshot!(output, @r"
    !!  the configuration cannot be used
        /sayso.toml:2: unknown key `agent.max_step`; allowed in `[agent]`: `autonomy`, `routing`, `parallel_prompt_tokens`, `routing_messages`, `planning`, `plan_approval`, `map_tokens`, `max_steps`, `turn_timeout_secs`, `while_busy`, `history_messages`, `concurrent_turns`
        hint: did you mean `max_steps`?
        fix: correct what is named above, then run `sayso config check`

    1 to fix.
    ");
}

#[tokio::test]
async fn database_is_checked_and_not_changed() {
    let patient = Patient::new();
    let path = patient.data_dir().join("sayso.db");
    std::fs::create_dir(patient.data_dir()).unwrap();
    let missing = machine::database(&path, Language::English).await;
    assert_eq!(
        patient.plain(&in_english(&missing)),
        "ok  database: /data/sayso.db will be created at the first start"
    );
    assert!(!path.exists());

    Store::open(&path).await.unwrap().close().await;
    let before = std::fs::read(&path).unwrap();
    let whole = machine::database(&path, Language::English).await;
    assert!(
        patient
            .plain(&in_english(&whole))
            .starts_with("ok  database: /data/sayso.db is whole"),
        "{whole:?}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn clock_before_this_program_is_a_problem() {
    let finding = machine::clock(0, Language::English);
    insta::assert_snapshot!(in_english(&finding), @r"
    !!  the clock of this machine is before 2026
        fix: set the clock, or turn on time synchronisation (`timedatectl set-ntp true`)
    ");
}

#[tokio::test]
async fn owner_must_be_possible() {
    let said = async |text: &str| {
        let environment = Environment::from_iter([("HOME", "/home/mia")]);
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("sayso.toml");
        std::fs::write(&path, text).unwrap();
        let config = config::load(Some(&path), &environment).unwrap();
        in_english(&owner::owner(&config, Language::English).await)
    };
    insta::assert_snapshot!(said("").await, @"ok  owners: none is configured; the first person with the code that `sayso` prints at its start becomes the owner");
    insta::assert_snapshot!(said("[access]\npairing = false").await, @r#"
    !!  no owner is configured and pairing is off, so no user can talk to Sayso
        fix: set `access.owners`, such as `["telegram:12345"]`, or `access.pairing = true`
    "#);
    insta::assert_snapshot!(said("[access]\nowners = ['telegram:1', 'telegram:2']").await, @"ok  owners: telegram:1 and 1 more");
}

#[tokio::test]
async fn doctor_speaks_chinese() {
    let finding = machine::clock(0, Language::Chinese);
    insta::assert_snapshot!(finding.in_words(Language::Chinese), @r"
    !!  本机时钟早于 2026 年
        处理：校准时钟，或开启时间同步（`timedatectl set-ntp true`）
    ");
}
