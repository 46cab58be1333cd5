//! Names on both sides: those that keep secrets, and those that only look like it.

use std::path::Path;

use super::is_secret_like;

#[track_caller]
fn check(paths: &[&str], expected: bool) {
    for path in paths {
        assert_eq!(is_secret_like(Path::new(path)), expected, "{path}");
    }
}

#[test]
fn files_that_keep_secrets_are_known_by_name() {
    check(
        &[
            ".env",
            "a/.env.local",
            ".env-production",
            ".envrc",
            "deploy/prod.env",
            "server.key",
            "cert.pem",
            "/home/ann/.netrc",
            ".git-credentials",
            "vault.kdbx",
            "debug.keystore",
            "wallet.dat",
            "UTC--2024-01-01T00-00-00.0Z--00ff",
            "profile/Login Data",
            "profile/cookies.sqlite",
            "/etc/shadow",
            "/proc/1/environ",
            "sayso.toml",
            ".bash_history",
            ".python_history",
            "fish/fish_history",
            "id_ed25519",
            "id_rsa_work",
        ],
        true,
    );
}

#[test]
fn a_directory_of_secrets_makes_all_in_it_secret() {
    check(
        &[
            ".ssh",
            ".ssh/config",
            "x/.aws/credentials",
            ".aws/config",
            ".kube/config",
            ".docker/config.json",
            ".gnupg/private-keys-v1.d/1.key",
        ],
        true,
    );
}

#[test]
fn either_case_is_the_same_name() {
    check(
        &[
            "ID_RSA",
            ".ENV",
            "Server.KEY",
            ".Ssh/config",
            ".\u{17f}sh/x",
        ],
        true,
    );
}

#[test]
fn a_copy_keeps_what_its_original_keeps() {
    check(
        &[
            ".env.bak",
            ".env~",
            "server.key.old",
            "id_rsa.orig",
            ".server.key.swp",
            ".env.local.bak~",
        ],
        true,
    );
    check(&[".env.example.bak", ".notes.md.swp", ".bak"], false);
}

#[test]
fn what_is_for_everybody_to_see_is_no_secret() {
    check(
        &[
            ".env.example",
            ".env.sample",
            "id_rsa.pub",
            ".ssh/id_ed25519.pub",
            "server.key.template",
        ],
        false,
    );
}

#[test]
fn ordinary_files_are_no_secret() {
    check(
        &[
            "",
            ".",
            "/",
            "README.md",
            "env",
            "env.rs",
            ".environment",
            "keys.rs",
            "keyboard",
            "monkey",
            "tokens.rs",
            "history.md",
            "shadow.css",
            "cookies.md",
            "src/credentials.rs",
            "docker/Dockerfile",
        ],
        false,
    );
}

/// Separated by blanks; `+` is a blank within a name.
const SECRET: &str = "\
    .env .env.local .env.production .envrc .env-staging env.local env.production env-prod envrc \
    .dev.vars dev.vars .flaskenv flaskenv .mcp.json mcp.json .rails_key rails_key .vault_password \
    vault_password .vault_pass vault_pass vault_pass.txt .vault-pass ansible_vault_pass.txt \
    .vault-token vault-token kubeconfig kubeconfig.yaml kubeconfig-prod.yml admin.kubeconfig \
    .erlang.cookie erlang.cookie key.txt keys.txt age-key.txt sayso.db sayso.db-wal \
    sayso.db.before-3 sayso.db.bak sayso.toml sayso.toml.old .config/gh/hosts.yml gh/hosts.yml \
    .config/gh/config.yml .config/hub .config/glab-cli/config.yml .config/op/config \
    .config/github-copilot/apps.json .config/doctl/config.yaml .config/configstore/update.json \
    .config/sops/age/x .codex/auth.json .codex/config.toml .claude/.credentials.json \
    .claude/history.jsonl .composer/auth.json .terraform.d/credentials.tfrc.json .m2/settings.xml \
    .m2/settings-security.xml .gradle/gradle.properties .config/containers/auth.json \
    containers/auth.json auth.json .kube/config .docker/config.json .aws/config \
    .gemini/oauth_creds.json .cloudflared/x.json .oci/config .snowsql/config .vnc/passwd \
    .cache/huggingface/token token token.txt .token tokens.txt TOKEN.TXT github_token \
    github-token.txt githubToken.json GitHubToken.txt access_token accessToken.json \
    refresh_token.json bot.token api.token slack-token.json npm_token.yml auth_token .gitlab-token \
    mytoken.txt bottoken .tokens session_tokens.db oauth-token.json token.json token.pickle \
    password password.txt .password passwords.txt passwords.csv passwords.xlsx Passwords.docx \
    my-passwords.txt my_passwords.md passwords.md password.md passwd .passwd passwd.txt \
    .passwd-s3fs db_password db-password.txt wifi-password.txt Password1.txt passwort.txt \
    mypassword.txt root_password.yml secret secret.txt .secret .secrets secrets.txt secrets \
    secrets.json secrets.toml secrets.yml secrets.yaml.enc client_secret.json \
    client_secret_12.apps.googleusercontent.com.json app-secret app_secret.txt topsecret.txt \
    jwt-secret jwtSecret.txt secret_key secret_key.txt secretkey.txt secret_key_base \
    secret.properties prod.secret secrets.sh tokens.sh credentials.sh secrets.h arduino_secrets.h \
    credentials credentials.json credentials.csv new_user_credentials.csv .credentials \
    credentials.db.bak aws-credentials.txt .smbcredentials git-credentials creds.txt creds.json \
    .creds db-creds.yml api_key api_key.txt apikey apikey.txt .apikey api-key.json apiKey.txt \
    APIKeys.json api_keys.yml openai_api_key access_key.txt accessKeys.csv rootkey.csv private_key \
    private_key.txt privkey.txt ssh_key deploy-key signing_key.bin encryption-key.txt \
    master_key.txt recovery-codes.txt github-recovery-codes.txt backup_codes.txt seed_phrase.txt \
    mnemonic.txt passphrase.txt pass.txt my-firebase-adminsdk-x1.json serviceAccountKey.json \
    service-account.json .netrc netrc netrc-2 .npmrc npmrc .pgpass pgpass .my.cnf my.cnf .htpasswd \
    htpasswd .pypirc pypirc .databrickscfg .sentryclirc .authinfo authinfo ngrok.yml kaggle.json \
    .claude.json credentials-2.json credentials_(1).json credentials+(1).json secrets-3.yml \
    kubeconfig-2 wallet-2.dat Login_Data Login+Data login_data-2 inbox/env inbox/env-2 \
    inbox/env.local inbox/bash_history inbox/history inbox/netrc inbox/Env bash_history \
    .bash_history zsh_history psql_history fish_history python_history .node_repl_history 密码.txt \
    账号密码.xlsx 我的密码.md 令牌.json 密钥.txt 私钥.bin 助记词.txt 数据库凭证.yml contraseñas.txt id_rsa id_rsa-2 \
    _netrc token.txt~ .token.swp password.txt.old";

const HARMLESS: &str = "\
    tokenizer.json tokenizer_config.json tokenizer.model tokenizer.py tokenizers.txt \
    special_tokens_map.json added_tokens.json token.rs tokens.py tokens.rs token.go Token.java \
    token_test.go tokens.css tokens.scss design-tokens.json design_tokens.yml color-tokens.json \
    tokens.d.ts token.test.ts token.proto tokenize.c token-usage.csv token_usage.json \
    token_counts.csv token-limits.yml token-prices.json token_bucket.json \
    token-classification.json tokenization.md tokens.md token-refresh.md tokenomics.pdf \
    token-icon.png token.svg stop_tokens.txt max_token_length.txt vocab_tokens.txt tokens.html \
    token.vue token.sql add_tokens.sql secretary.md secretary.txt secretariat.pdf secretion.csv \
    secrets.rs secrets.py secret.go secret_test.rs secret.ts Secret.java secrets.md secrets.rst \
    secret-santa.csv secret_santa.xlsx secret-garden.txt secret.svg secret-scanning.yml \
    secret_scan.yml detect-secrets.yml .secrets.baseline secrets.schema.json secret-recipe.txt \
    secret.tf secrets.tf secret.css secrets_controller.rb secret.html.erb set-secrets.sh \
    rotate-secrets.sh passwd_test.rs passwd.c password.rs password.go password.py \
    password_reset.html password-reset.md passwords_controller.rb password.html.erb \
    password_policy.yaml password-policy.pdf password_strength.json password-generator.js \
    password.component.ts password-input.vue password.svg password_reset.json reset_password.json \
    reset-password.yml forgot-password.json change_password.json password_validator.rb \
    passwordless.md passwordless.txt password-guidelines.docx password-checklist.md passwords.rs \
    password.test.js password.scss verify_password.sh check-password.sh password-rotation.md \
    get_token.sh fetch-token.sh refresh-token.sh credentials.rs credentials.py credential.go \
    credential_helper.c credentials.md credentials.html credentials.schema.json \
    credentials_test.rs credentialing.pdf credential.ts Credentials.java credentials.proto \
    api_key.rs api_keys.py apikey.go api-keys.md apikey.ts api_key_test.rb ApiKey.java \
    api-key-rotation.md create_api_keys.sql private_key.rs access_key.tf public_key.txt \
    public-key.json foreign_key.yml primary-key.txt hotkeys.json shortcut-keys.txt keyboard.txt \
    keys.rs key.py keymap.toml monkey.txt turkey.csv compass.json passenger.csv passport.txt \
    passage.md bypass.yml passthrough.json pass_through.yml passing_tests.txt password.jpg auth.rs \
    auth.py auth.md auth.ts author.json authors.txt oauth.rs oauth.md authentication.md env env.rs \
    env.py env.ts env.d.ts env/bin/activate environment.yml environment.ts .environment \
    envelope.txt env.md history.md history.json history.txt git_history.rs browser_history.py \
    history cookies.md cookie.rs cookies.py hosts.yml hosts settings.xml gradle.properties \
    src/gh/client.rs containers/app.json config.yml hosts.txt claude.md CLAUDE.md codex.md \
    codex/main.rs claude/mod.rs composer.json composer.lock terraform.tf main.tf docker/Dockerfile \
    kube/deployment.yml kubernetes.md .env.example .env.sample .env.template secrets.yml.example \
    credentials.json.sample id_rsa.pub .ssh/id_ed25519.pub token.txt.example password.txt.template \
    jwt.rs jwt.md jwt.go mnemonic.rs seed.sql seeds.rb seed.json seed-data.csv recovery.md \
    backup.sh backup.json code.txt codes.csv country-codes.json error_codes.json keyfile.rs \
    vault.md vault.rs netrc.rs wallet.rs wallet.md shadow.css shadow.rs environ.rs mcp.rs mcp.md \
    auth.css 密码学.pdf 密码学笔记.md 密码策略.docx 密码.rs 令牌.svg 令牌桶.md inbox/report.pdf inbox/notes.md \
    inbox/history.md inbox/environment.yml";

#[test]
fn s12_names_that_say_what_they_keep_are_known() {
    let missed: Vec<_> = SECRET
        .split_ascii_whitespace()
        .map(|name| name.replace('+', " "))
        .filter(|name| !is_secret_like(Path::new(name)))
        .collect();
    assert_eq!(missed, [""; 0]);
    assert!(SECRET.split_ascii_whitespace().count() >= 150);
}

#[test]
fn s12_names_that_only_look_like_it_ask_no_one() {
    let asked: Vec<_> = HARMLESS
        .split_ascii_whitespace()
        .filter(|name| is_secret_like(Path::new(name)))
        .collect();
    assert_eq!(asked, [""; 0]);
    assert!(HARMLESS.split_ascii_whitespace().count() >= 150);
}

/// The dot is lost on some ways, such as the folder of received files.
#[test]
fn s12_a_leading_dot_makes_no_difference() {
    for name in SECRET.split_ascii_whitespace() {
        let Some(visible) = name.strip_prefix('.').filter(|name| !name.contains('/')) else {
            continue;
        };
        let received = format!("inbox/{visible}");
        assert!(is_secret_like(Path::new(&received)), "{received}");
    }
}
