//! Tokens that are known by how they begin: what each service writes before its tokens, and of
//! what and how long the rest is, as their documentation and their secret scanning say it.
//!
//! A rule tells a token by its prefix and by at least as many further bytes as the shortest that
//! the service gives out, so ordinary words with the same beginning stay.

use aho_corasick::AhoCorasick;

use super::TooMuch;
use super::alphabet::{
    Alphabet, is_alphanumeric, is_base64, is_digit, is_dotted, is_escaped, is_hex, is_mixed,
    is_upper, is_word, run,
};
use super::spans::Span;

/// One form of token.
struct Shape {
    kind: &'static str,
    prefixes: &'static [&'static str],
    /// What follows the prefix, in order.
    rest: &'static [Piece],
    /// What may not stand right before it: then it is the middle of something else.
    not_behind: Alphabet,
    /// How many digits must be among its letters: prefixes such as `sk-` also begin words.
    digits: usize,
}

/// A part of a token behind its prefix.
enum Piece {
    /// Exactly this many, and the next byte is no letter or digit.
    Exactly(usize, Alphabet),
    /// At least this many; all that follow belong to it.
    AtLeast(usize, Alphabet),
    /// This text.
    Then(&'static str),
}

use Piece::{AtLeast, Exactly, Then};

const fn shape(
    kind: &'static str,
    prefixes: &'static [&'static str],
    rest: &'static [Piece],
) -> Shape {
    Shape {
        kind,
        prefixes,
        rest,
        not_behind: is_alphanumeric,
        digits: 0,
    }
}

/// The forms, by the kind of service: clouds, code, chat, models, payment, and the rest.
static SHAPES: &[Shape] = &[
    shape(
        "aws-key",
        &["AKIA", "ASIA", "ABIA", "ACCA"],
        &[Exactly(16, is_upper)],
    ),
    shape("aws-key", &["ABSK"], &[AtLeast(100, is_base64)]),
    shape("google-key", &["AIza"], &[Exactly(35, is_word)]),
    shape("google-token", &["ya29."], &[AtLeast(30, is_dotted)]),
    shape("google-secret", &["GOCSPX-"], &[AtLeast(28, is_word)]),
    shape("google-token", &["1//0"], &[AtLeast(40, is_word)]),
    shape("azure-signature", &["sig="], &[AtLeast(43, is_escaped)]),
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
        &[Exactly(32, is_alphanumeric)],
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
    shape(
        "slack-token",
        &[
            "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-", "xoxe.",
        ],
        &[AtLeast(20, is_escaped)],
    ),
    shape("slack-token", &["xapp-"], &[AtLeast(30, is_word)]),
    shape(
        "slack-webhook",
        &["hooks.slack.com/services/T"],
        &[
            AtLeast(8, is_upper),
            Then("/B"),
            AtLeast(8, is_upper),
            Then("/"),
            AtLeast(20, is_alphanumeric),
        ],
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
    shape("anthropic-key", &["sk-ant-"], &[AtLeast(20, is_word)]),
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
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
        &[AtLeast(16, is_alphanumeric)],
    ),
    shape("stripe-secret", &["whsec_"], &[AtLeast(24, is_base64)]),
    shape(
        "square-token",
        &["sq0atp-", "sq0csp-"],
        &[AtLeast(22, is_word)],
    ),
    shape(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_"],
        &[AtLeast(32, is_hex)],
    ),
    shape("twilio-key", &["SK"], &[Exactly(32, is_hex)]),
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
    shape("databricks-token", &["dapi"], &[Exactly(32, is_hex)]),
    shape("grafana-token", &["glsa_"], &[AtLeast(40, is_word)]),
    shape("grafana-token", &["glc_"], &[AtLeast(60, is_base64)]),
    shape("newrelic-key", &["NRAK-"], &[Exactly(27, is_upper)]),
    shape(
        "sentry-token",
        &["sntrys_", "sntryu_"],
        &[AtLeast(50, is_base64)],
    ),
    shape(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."],
        &[AtLeast(40, is_dotted)],
    ),
    shape(
        "vault-token",
        &["hvs.", "hvb.", "hvr."],
        &[AtLeast(24, is_word)],
    ),
    shape("postman-key", &["PMAK-"], &[AtLeast(50, is_word)]),
    shape("supabase-token", &["sbp_"], &[AtLeast(40, is_hex)]),
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
            &[AtLeast(20, is_dotted)],
        )
    },
];

/// The kinds of what is found here.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|shape| shape.kind)
}

/// Looks for all forms at once.
pub(super) struct Shapes {
    finder: AhoCorasick,
    /// The form that each pattern of the finder begins.
    shapes: Vec<&'static Shape>,
}

impl Shapes {
    pub(super) fn new() -> Result<Self, TooMuch> {
        let prefixes = || SHAPES.iter().flat_map(|shape| shape.prefixes);
        let of_prefix = |shape: &'static Shape| std::iter::repeat_n(shape, shape.prefixes.len());
        Ok(Self {
            finder: AhoCorasick::new(prefixes())?,
            shapes: SHAPES.iter().flat_map(of_prefix).collect(),
        })
    }

    /// Finds every token. What was tried as one and is none is not tried again from its middle,
    /// so that the time does not depend on what stands there.
    pub(super) fn find(&self, bytes: &[u8], found: &mut Vec<Span<'_>>) {
        let (mut tried_from, mut tried) = (0, 0);
        for prefix in self.finder.find_overlapping_iter(bytes) {
            let Some(shape) = self.shapes.get(prefix.pattern().as_usize()) else {
                continue;
            };
            let (start, end) = (prefix.start(), prefix.end());
            let before = start.checked_sub(1).and_then(|before| bytes.get(before));
            if start < tried && start != tried_from
                || before.is_some_and(|before| (shape.not_behind)(*before))
            {
                continue;
            }
            let Some(token_end) = shape.end(bytes, end) else {
                continue;
            };
            (tried_from, tried) = (start, tried.max(token_end));
            if is_mixed_enough(shape, bytes.get(end..token_end).unwrap_or_default()) {
                let exactness = end - start;
                found.push(Span::new(start..token_end, shape.kind).with_exactness(exactness));
            }
        }
    }
}

fn is_mixed_enough(shape: &Shape, body: &[u8]) -> bool {
    shape.digits == 0 || is_mixed(body, shape.digits)
}

impl Shape {
    /// Returns where a token ends whose prefix ends at `from`.
    fn end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut end = from;
        for piece in self.rest {
            end = match *piece {
                Exactly(length, alphabet) => {
                    let piece = bytes.get(end..end + length)?;
                    let is_whole = piece.iter().all(|byte| alphabet(*byte))
                        && !bytes.get(end + length).is_some_and(|byte| is_word(*byte));
                    is_whole.then_some(end + length)?
                }
                AtLeast(least, alphabet) => {
                    let length = run(bytes, end, alphabet);
                    (length >= least).then_some(end + length)?
                }
                Then(text) => {
                    let next = bytes.get(end..)?;
                    next.starts_with(text.as_bytes())
                        .then_some(end + text.len())?
                }
            };
        }
        Some(end + run(bytes, end, is_word))
    }
}
