//! The forms of tokens by service, as their documentation and the rules of their secret scanning
//! publish them: the prefix, what follows it, and how long that is.

use super::alphabet::{
    is_alphanumeric, is_any_hex, is_base64, is_digit, is_dotted, is_escaped, is_escaped_base64,
    is_hex, is_plain_base64, is_token68, is_upper, is_word,
};
use super::token_shape::Piece::{AtLeast, Exactly, Then};
use super::token_shape::{Shape, shape};

/// The rest of a Slack token: [`is_escaped`], and the stop inside of `xoxe.xoxp-`.
fn is_slack(byte: u8) -> bool {
    is_escaped(byte) || byte == b'.'
}

/// What stands before the middle of base64.
fn is_in_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// `sgp_`, the instance or `local`, and the token.
fn is_sourcegraph(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || b"_local".contains(&byte)
}

/// The rest of a webhook's address.
fn is_webhook(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'@' | b'/')
}

/// The forms, by the kind of service: clouds, code, chat, models, payment, and the rest.
pub(super) static SHAPES: &[Shape] = &[
    shape(
        "aws-key",
        &["AKIA", "ASIA", "ABIA", "ACCA", "AROA", "AIDA"],
        &[Exactly(16, is_upper)],
    ),
    shape("aws-key", &["ABSK"], &[AtLeast(100, is_base64)]),
    shape("google-key", &["AIza"], &[Exactly(35, is_word)]),
    shape("google-token", &["ya29."], &[AtLeast(30, is_dotted)]),
    shape("google-secret", &["GOCSPX-"], &[AtLeast(28, is_word)]),
    shape("google-token", &["1//0"], &[AtLeast(40, is_word)]),
    shape(
        "azure-signature",
        &["sig="],
        &[AtLeast(43, is_escaped_base64)],
    ),
    shape("alibaba-key", &["LTAI"], &[Exactly(20, is_alphanumeric)]),
    shape("tencent-key", &["AKID"], &[Exactly(32, is_alphanumeric)]),
    shape(
        "digitalocean-token",
        &["dop_v1_", "doo_v1_", "dor_v1_"],
        &[Exactly(64, is_hex)],
    ),
    shape("cloudflare-key", &["v1.0-"], &[AtLeast(140, is_word)]),
    shape("fly-token", &["fo1_"], &[AtLeast(43, is_word)]),
    shape(
        "fly-token",
        &["fm1r_", "fm1a_", "fm2_"],
        &[AtLeast(100, is_base64)],
    ),
    shape("heroku-key", &["HRKU-"], &[AtLeast(36, is_word)]),
    shape(
        "github-token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        &[AtLeast(36, is_alphanumeric)],
    ),
    shape("github-token", &["github_pat_"], &[AtLeast(60, is_word)]),
    shape(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-",
            "glagent-", "gloas-", "glffct-",
        ],
        &[AtLeast(20, is_dotted)],
    ),
    shape(
        "bitbucket-token",
        &["ATBB"],
        &[AtLeast(32, is_alphanumeric)],
    ),
    shape(
        "atlassian-token",
        &["ATATT3", "ATCTT3"],
        &[AtLeast(100, is_base64)],
    ),
    shape("npm-token", &["npm_"], &[AtLeast(36, is_alphanumeric)]),
    shape("pypi-token", &["pypi-AgE"], &[AtLeast(50, is_word)]),
    shape("crates-token", &["cio"], &[Exactly(32, is_alphanumeric)]),
    shape("rubygems-key", &["rubygems_"], &[Exactly(48, is_hex)]),
    shape(
        "docker-token",
        &["dckr_pat_", "dckr_oat_"],
        &[AtLeast(27, is_word)],
    ),
    Shape {
        digits: 3,
        ..shape(
            "slack-token",
            &[
                "xoxb-", "xoxp-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe.",
            ],
            &[AtLeast(20, is_slack)],
        )
    },
    Shape {
        digits: 2,
        ..shape("slack-token", &["xoxa-", "xoxr-"], &[AtLeast(12, is_word)])
    },
    Shape {
        digits: 3,
        ..shape("slack-token", &["xapp-"], &[AtLeast(30, is_word)])
    },
    shape(
        "slack-webhook",
        &[
            "hooks.slack.com/services/",
            "hooks.slack.com/workflows/",
            "hooks.slack.com/triggers/",
            "hooks.slack-gov.com/services/",
        ],
        &[AtLeast(40, is_plain_base64)],
    ),
    shape(
        "discord-webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        &[AtLeast(17, is_digit), Then("/"), AtLeast(60, is_word)],
    ),
    Shape {
        digits: 3,
        ..shape("openai-key", &["sk-"], &[AtLeast(20, is_word)])
    },
    shape(
        "openai-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-"],
        &[AtLeast(40, is_word)],
    ),
    Shape {
        may_be_words: true,
        ..shape("anthropic-key", &["sk-ant-"], &[AtLeast(20, is_word)])
    },
    shape("openrouter-key", &["sk-or-v1-"], &[Exactly(64, is_hex)]),
    shape(
        "huggingface-token",
        &["hf_", "api_org_"],
        &[AtLeast(30, is_alphanumeric)],
    ),
    shape("groq-key", &["gsk_"], &[AtLeast(40, is_alphanumeric)]),
    shape("xai-key", &["xai-"], &[AtLeast(60, is_alphanumeric)]),
    shape(
        "perplexity-key",
        &["pplx-"],
        &[AtLeast(40, is_alphanumeric)],
    ),
    shape("replicate-token", &["r8_"], &[Exactly(37, is_alphanumeric)]),
    Shape {
        digits: 2,
        ..shape("tavily-key", &["tvly-"], &[AtLeast(20, is_word)])
    },
    shape(
        "stripe-key",
        &[
            "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_",
        ],
        &[AtLeast(10, is_alphanumeric)],
    ),
    shape("stripe-secret", &["whsec_"], &[AtLeast(24, is_base64)]),
    shape(
        "square-token",
        &["sq0atp-", "sq0csp-", "sq0idp-"],
        &[AtLeast(22, is_word)],
    ),
    shape(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_"],
        &[AtLeast(32, is_any_hex)],
    ),
    shape("twilio-key", &["SK", "AC"], &[Exactly(32, is_any_hex)]),
    shape(
        "sendgrid-key",
        &["SG."],
        &[Exactly(22, is_word), Then("."), Exactly(43, is_word)],
    ),
    shape("mailgun-key", &["key-"], &[Exactly(32, is_hex)]),
    shape("brevo-key", &["xkeysib-"], &[AtLeast(64, is_word)]),
    shape(
        "linear-key",
        &["lin_api_", "lin_oauth_"],
        &[AtLeast(40, is_alphanumeric)],
    ),
    shape(
        "notion-token",
        &["secret_"],
        &[Exactly(43, is_alphanumeric)],
    ),
    shape("notion-token", &["ntn_"], &[AtLeast(40, is_alphanumeric)]),
    shape(
        "airtable-token",
        &["pat"],
        &[Exactly(14, is_alphanumeric), Then("."), Exactly(64, is_hex)],
    ),
    shape("databricks-token", &["dapi"], &[AtLeast(32, is_hex)]),
    shape("grafana-token", &["glsa_"], &[AtLeast(32, is_word)]),
    shape("grafana-token", &["glc_"], &[AtLeast(60, is_base64)]),
    shape(
        "newrelic-key",
        &["NRAK-", "NRII-", "NRRA-", "NRBR-"],
        &[AtLeast(27, is_word)],
    ),
    shape("newrelic-key", &["NRJS-"], &[Exactly(19, is_any_hex)]),
    shape(
        "sentry-token",
        &["sntrys_", "sntryu_", "sntrya_", "sntryi_"],
        &[AtLeast(50, is_base64)],
    ),
    shape(
        "doppler-token",
        &[
            "dp.pt.",
            "dp.st.",
            "dp.ct.",
            "dp.sa.",
            "dp.scim.",
            "dp.audit.",
        ],
        &[AtLeast(40, is_dotted)],
    ),
    shape(
        "vault-token",
        &["hvs.", "hvb.", "hvr."],
        &[AtLeast(24, is_word)],
    ),
    shape("postman-key", &["PMAK-"], &[AtLeast(50, is_word)]),
    shape("supabase-token", &["sbp_"], &[AtLeast(40, is_hex)]),
    shape("supabase-key", &["sb_secret_"], &[AtLeast(20, is_word)]),
    shape("dropbox-token", &["sl."], &[AtLeast(130, is_word)]),
    shape("tailscale-key", &["tskey-"], &[AtLeast(20, is_word)]),
    shape("age-key", &["AGE-SECRET-KEY-1"], &[Exactly(58, is_upper)]),
    Shape {
        // Or each `eyJ` inside of a long run would be tried again.
        not_behind: is_word,
        ..shape(
            "jwt",
            &["eyJ"],
            &[
                AtLeast(10, is_word),
                Then(".eyJ"),
                AtLeast(10, is_word),
                Then("."),
                AtLeast(10, is_word),
            ],
        )
    },
    Shape {
        digits: 2,
        ..shape(
            "bearer-token",
            &["Bearer ", "bearer ", "BEARER "],
            &[AtLeast(20, is_token68)],
        )
    },
    // Cloud and infrastructure.
    shape("digitalocean-key", &["DO00"], &[Exactly(16, is_upper)]),
    Shape {
        digits: 3,
        ..shape("openshift-token", &["sha256~"], &[AtLeast(43, is_word)])
    },
    shape(
        "docker-swarm-token",
        &["SWMTKN-1-", "SWMKEY-1-"],
        &[AtLeast(43, is_word)],
    ),
    Shape {
        digits: 2,
        ..shape("pulumi-token", &["pul-"], &[AtLeast(40, is_hex)])
    },
    shape(
        "scalingo-token",
        &["tk-us-", "tk-eu-"],
        &[AtLeast(48, is_word)],
    ),
    shape(
        "planetscale-token",
        &["pscale_tkn_", "pscale_oauth_", "pscale_pw_"],
        &[AtLeast(32, is_dotted)],
    ),
    shape("neon-key", &["napi_"], &[AtLeast(40, is_alphanumeric)]),
    shape(
        "railway-token",
        &["rnd_", "rpa_"],
        &[AtLeast(28, is_alphanumeric)],
    ),
    shape(
        "netlify-token",
        &["nfp_", "nfo_", "nfc_"],
        &[AtLeast(36, is_alphanumeric)],
    ),
    Shape {
        digits: 2,
        ..shape("yandex-key", &["AQVN"], &[AtLeast(35, is_word)])
    },
    Shape {
        digits: 2,
        ..shape(
            "yandex-token",
            &["t1."],
            &[AtLeast(4, is_base64), Then("."), AtLeast(80, is_base64)],
        )
    },
    shape(
        "dynatrace-token",
        &["dt0c01.", "dt0s01.", "dt0s16."],
        &[
            AtLeast(20, is_alphanumeric),
            Then("."),
            AtLeast(60, is_alphanumeric),
        ],
    ),
    Shape {
        digits: 2,
        not_behind: is_dotted,
        ..shape("vault-token", &["s."], &[Exactly(24, is_alphanumeric)])
    },
    shape("nebula-key", &["dnkey-"], &[AtLeast(60, is_word)]),
    shape("1password-token", &["ops_eyJ"], &[AtLeast(200, is_base64)]),
    shape(
        "1password-key",
        &["A3-"],
        &[
            AtLeast(6, is_upper),
            Then("-"),
            AtLeast(6, is_upper),
            Then("-"),
            AtLeast(5, is_upper),
            Then("-"),
            AtLeast(5, is_upper),
            Then("-"),
            AtLeast(5, is_upper),
        ],
    ),
    // Code, builds and packages.
    Shape {
        digits: 2,
        ..shape(
            "sonar-token",
            &["squ_", "sqp_", "sqa_", "sqb_"],
            &[AtLeast(40, is_any_hex)],
        )
    },
    Shape {
        digits: 2,
        ..shape(
            "sourcegraph-token",
            &["sgp_"],
            &[AtLeast(40, is_sourcegraph)],
        )
    },
    shape(
        "sourcegraph-token",
        &["sgd_", "slk_"],
        &[AtLeast(40, is_any_hex)],
    ),
    shape(
        "artifactory-key",
        &["AKCp"],
        &[AtLeast(60, is_alphanumeric)],
    ),
    Shape {
        digits: 2,
        ..shape(
            "artifactory-token",
            &["cmVmd"],
            &[AtLeast(55, is_alphanumeric)],
        )
    },
    shape(
        "buildkite-token",
        &["bkua_"],
        &[AtLeast(40, is_alphanumeric)],
    ),
    shape(
        "circleci-token",
        &["CCIPAT_", "CCIPRJ_"],
        &[AtLeast(40, is_word)],
    ),
    shape(
        "zoho-token",
        &["1000."],
        &[Exactly(32, is_hex), Then("."), Exactly(32, is_hex)],
    ),
    shape(
        "clojars-token",
        &["CLOJARS_"],
        &[AtLeast(60, is_alphanumeric)],
    ),
    Shape {
        digits: 2,
        ..shape("nuget-key", &["oy2"], &[Exactly(43, is_alphanumeric)])
    },
    shape(
        "harness-token",
        &["pat.", "sat."],
        &[
            Exactly(22, is_word),
            Then("."),
            AtLeast(24, is_alphanumeric),
            Then("."),
            AtLeast(20, is_alphanumeric),
        ],
    ),
    Shape {
        digits: 2,
        ..shape("octopus-key", &["API-"], &[AtLeast(25, is_upper)])
    },
    shape(
        "prefect-token",
        &["pnu_", "pnb_"],
        &[AtLeast(36, is_alphanumeric)],
    ),
    shape("infracost-key", &["ico-"], &[Exactly(32, is_alphanumeric)]),
    shape(
        "settlemint-token",
        &["sm_aat_", "sm_pat_", "sm_sat_"],
        &[AtLeast(16, is_alphanumeric)],
    ),
    shape("readme-key", &["rdme_"], &[AtLeast(60, is_alphanumeric)]),
    Shape {
        digits: 2,
        ..shape("clickhouse-key", &["4b1d"], &[Exactly(38, is_alphanumeric)])
    },
    shape("adobe-secret", &["p8e-", "p8-"], &[AtLeast(32, is_word)]),
    shape("contentful-token", &["CFPAT-"], &[AtLeast(40, is_word)]),
    shape(
        "apify-token",
        &["apify_api_"],
        &[AtLeast(30, is_alphanumeric)],
    ),
    // Models.
    shape(
        "langsmith-key",
        &["lsv2_pt_", "lsv2_sk_"],
        &[AtLeast(32, is_word)],
    ),
    shape("nvidia-key", &["nvapi-"], &[AtLeast(50, is_word)]),
    shape("cerebras-key", &["csk-"], &[AtLeast(40, is_alphanumeric)]),
    shape("fireworks-key", &["fw_"], &[AtLeast(22, is_alphanumeric)]),
    shape("firecrawl-key", &["fc-"], &[Exactly(32, is_hex)]),
    shape("jina-key", &["jina_"], &[AtLeast(50, is_word)]),
    shape("voyage-key", &["pa-"], &[Exactly(43, is_word)]),
    shape(
        "huggingface-token",
        &["hf_oauth_"],
        &[AtLeast(40, is_token68)],
    ),
    // Social networks and media.
    Shape {
        digits: 2,
        not_behind: is_in_base64,
        ..shape("facebook-token", &["EAA"], &[AtLeast(60, is_alphanumeric)])
    },
    Shape {
        digits: 2,
        ..shape(
            "instagram-token",
            &["IGQV", "IGAA"],
            &[AtLeast(60, is_word)],
        )
    },
    Shape {
        digits: 2,
        not_behind: is_in_base64,
        ..shape("square-token", &["EAAA", "EAAl"], &[AtLeast(22, is_word)])
    },
    shape(
        "twitter-token",
        &["AAAAAAAAAAAAAAAAAAAAA"],
        &[AtLeast(40, is_escaped)],
    ),
    shape(
        "figma-token",
        &["figd_", "figo_", "figu_"],
        &[AtLeast(36, is_word)],
    ),
    shape("frameio-token", &["fio-u-"], &[AtLeast(60, is_word)]),
    shape("mapbox-token", &["sk.eyJ"], &[AtLeast(40, is_dotted)]),
    shape("typeform-token", &["tfp_"], &[AtLeast(40, is_dotted)]),
    shape(
        "intra42-secret",
        &["s-s4t2ud-", "s-s4t2af-"],
        &[AtLeast(60, is_hex)],
    ),
    // Payment, trade and mail.
    shape(
        "braintree-token",
        &["access_token$production$", "access_token$sandbox$"],
        &[Exactly(16, is_alphanumeric), Then("$"), Exactly(32, is_hex)],
    ),
    shape(
        "duffel-token",
        &["duffel_test_", "duffel_live_"],
        &[AtLeast(40, is_word)],
    ),
    shape(
        "easypost-key",
        &["EZAK", "EZTK"],
        &[Exactly(54, is_alphanumeric)],
    ),
    shape(
        "flutterwave-key",
        &["FLWSECK_TEST-", "FLWSECK-"],
        &[AtLeast(12, is_word)],
    ),
    shape(
        "plaid-token",
        &[
            "access-sandbox-",
            "access-development-",
            "access-production-",
        ],
        &[AtLeast(36, is_word)],
    ),
    shape(
        "shippo-token",
        &["shippo_live_", "shippo_test_"],
        &[AtLeast(40, is_hex)],
    ),
    shape("lob-key", &["live_", "test_"], &[Exactly(35, is_hex)]),
    Shape {
        digits: 3,
        ..shape(
            "gocardless-token",
            &["live_", "sandbox_"],
            &[Exactly(40, is_word)],
        )
    },
    shape(
        "paystack-key",
        &["sk_live_", "sk_test_"],
        &[AtLeast(40, is_hex)],
    ),
    Shape {
        digits: 2,
        ..shape(
            "resend-key",
            &["re_"],
            &[
                Exactly(8, is_alphanumeric),
                Then("_"),
                AtLeast(20, is_alphanumeric),
            ],
        )
    },
    shape(
        "hubspot-token",
        &["pat-na1-", "pat-eu1-", "pat-na2-"],
        &[AtLeast(36, is_word)],
    ),
    shape(
        "posthog-key",
        &["phx_", "phs_"],
        &[AtLeast(40, is_alphanumeric)],
    ),
    shape(
        "teams-webhook",
        &["webhook.office.com/webhookb2/"],
        &[AtLeast(36, is_webhook)],
    ),
    shape("grafana-token", &["eyJrIjoi"], &[AtLeast(60, is_base64)]),
];
