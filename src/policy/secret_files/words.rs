//! Names that say by a word what a file keeps: `github_token.txt`, `passwords.xlsx`.
//!
//! A word alone is not enough. Source code, styles and pictures are about tokens and passwords
//! without having any, and so is a text that explains them; what keeps data is taken at its word,
//! unless another word says that it is about something else (`tokenizer`, `password_policy`).

/// Words for a secret.
const SECRETS: &str = "creds cred passphrase passphrases passcode passcodes mnemonic kubeconfig privkey jwt \
    kennwort contraseña contraseñas contrasena contrasenas senha senhas pass";

/// What words for a secret begin with.
const BEGINNINGS: &str = "passw credential apikey authtoken secretkey";

/// What they end with: `mytoken`, `topsecret`.
const ENDS: &str = "token tokens secret secrets password passwords passwd apikey apikeys";

/// Words for a secret in two pieces.
const PAIRS: &[(&str, &str)] = &[
    (
        "api access private priv secret ssh deploy signing encryption master root auth account age host \
         license",
        "key keys",
    ),
    (
        "recovery backup otp totp mfa fa",
        "code codes key keys phrase",
    ),
    ("seed pass mnemonic", "phrase phrases word words"),
    ("vault", "pass"),
    ("firebase", "adminsdk"),
];

/// The same in Chinese, anywhere in a name.
const HAN: &str = "密码 口令 密钥 令牌 凭证 凭据 私钥 助记词";
/// Words of which one of these is a part.
const HAN_HARMLESS: &str = "密码学 密码策略 密码重置 令牌桶";

/// Words that say that a name is about something else, or about secrets in general.
const HARMLESS: &str = "tokenizer tokenizers special added vocab vocabulary embedding embeddings classification \
    design theme themes color colors colour colours spacing typography css scss lexer parser \
    syntax grammar unicode stop merges policy policies strength reset generator validator \
    validation checker hasher hashing scan scanner scanning detect detection detector rotation \
    rotate lint linter baseline schema schemas spec openapi swagger guide guidelines howto \
    tutorial manual handbook faq docs documentation readme changelog requirements checklist \
    slides usage count counts counter stats statistics metrics limit limits budget price prices \
    pricing cost costs length bucket economics tokenomics icon icons logo garden santa recipe \
    recipes passwordless credentialing example examples sample samples template templates mock \
    mocks fixture fixtures dummy fake placeholder stub";

/// Words with which a name says what a program does: it is called so, and keeps nothing.
const VERBS: &str = "get set reset rotate generate gen create check validate verify fetch find scan \
    detect update change forgot revoke print show parse handle fix remove delete";

/// What a name says that a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Source code, a style, a picture, a sound: never a list of secrets.
    Made,
    /// A script, which often sets variables.
    Script,
    /// A text for people.
    Prose,
    /// Anything else: data, settings, notes, nothing known.
    Data,
}

const MADE: &str = "rs py pyi pyc pyx ipynb js mjs cjs ts mts cts jsx tsx go java kt kts groovy scala swift c h \
    cc cpp cxx hh hpp hxx m mm cs fs fsx vb rb php pl pm lua ex exs erl hrl hs lhs ml mli clj \
    cljs cljc dart r jl nim zig v vue svelte astro elm lisp el scm rkt sol move asm s sql \
    graphql gql proto thrift avsc tf hcl nix cmake bzl gradle css scss sass less styl html htm \
    xhtml erb ejs hbs mustache jinja jinja2 j2 tmpl tpl twig haml slim pug liquid cshtml razor \
    jsp svg png jpg jpeg gif webp avif ico bmp tif tiff psd sketch fig mp3 mp4 ogg wav mov webm \
    ttf otf woff woff2 o a so dll dylib class jar wasm map snap patch diff po pot mo strings \
    feature lock sublime-syntax tmlanguage g4 peg lex y l";
const SCRIPTS: &str = "sh bash zsh fish ksh ps1 bat cmd";
const PROSE: &str = "md mdx markdown rst adoc asciidoc org tex epub";

/// Returns whether the words in a name say that the file keeps secrets. The name keeps its original
/// case, since capitals also separate words; the ending is in lower case.
pub(crate) fn tell(name: &str, ending: &str) -> bool {
    let stem = name
        .len()
        .checked_sub(ending.len() + 1)
        .filter(|_| !ending.is_empty())
        .and_then(|end| name.get(..end))
        .unwrap_or(name);
    let words = words(stem);
    let is_secret = marked(&words);
    // `pass` is many things: `pass.txt` is one, `pass_through.json` another.
    let is_plain = |word: &str| words.len() > 1 && word == "pass";
    let says_secret = is_word_for_secret(ending)
        || words
            .iter()
            .zip(&is_secret)
            .any(|(word, is_secret)| *is_secret && !is_plain(word));
    if !says_secret && !tells_in_chinese(stem) {
        return false;
    }
    match Kind::of(ending) {
        Kind::Made => false,
        Kind::Script => is_secret.iter().all(|is_secret| *is_secret),
        Kind::Prose => is_list_of_passwords(&words) || tells_in_chinese(stem),
        Kind::Data => !is_about_something_else(&words, ending),
    }
}

/// Marks the words that name a secret, alone or with the next one.
fn marked(words: &[String]) -> Vec<bool> {
    let mut marked: Vec<bool> = words.iter().map(|word| is_word_for_secret(word)).collect();
    for (place, pair) in words.windows(2).enumerate() {
        let [first, second] = pair else { continue };
        let is_pair = |(firsts, seconds): &(&str, &str)| has(firsts, first) && has(seconds, second);
        if PAIRS.iter().any(is_pair) {
            for mark in marked.iter_mut().skip(place).take(2) {
                *mark = true;
            }
        }
    }
    marked
}

fn has(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}

impl Kind {
    fn of(ending: &str) -> Self {
        if has(MADE, ending) {
            Self::Made
        } else if has(SCRIPTS, ending) {
            Self::Script
        } else if has(PROSE, ending) {
            Self::Prose
        } else {
            Self::Data
        }
    }
}

/// Returns the words of a name, in small letters: between other marks, and where a capital follows
/// a small letter. Numbers are left out.
fn words(stem: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in stem.chars() {
        let begins = !letter.is_alphabetic() || (was_small && letter.is_uppercase());
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut()
            && letter.is_alphabetic()
        {
            // As everywhere in these names: letters without a small form of their own have one.
            word.extend(letter.to_uppercase().flat_map(char::to_lowercase));
        }
        was_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_word_for_secret(word: &str) -> bool {
    let begins = || BEGINNINGS.split(' ').any(|known| word.starts_with(known));
    let ends = || ENDS.split(' ').any(|known| word.ends_with(known));
    (has(SECRETS, word) || begins() || ends()) && !has(HARMLESS, word)
}

fn is_about_something_else(words: &[String], ending: &str) -> bool {
    let begins_with_verb = match words {
        [first, _, ..] => has(VERBS, first),
        [_] | [] => false,
    };
    begins_with_verb || has(HARMLESS, ending) || words.iter().any(|word| has(HARMLESS, word))
}

/// A text about passwords has more words; one that is called so has them.
fn is_list_of_passwords(words: &[String]) -> bool {
    const OWNED: &str = "my our all the old new list of wifi work";
    let is_list = |word: &String| word.starts_with("passw") && !has(HARMLESS, word);
    let is_plain = |word: &String| has(OWNED, word) || is_list(word);
    words.iter().any(is_list) && words.iter().all(is_plain)
}

fn tells_in_chinese(stem: &str) -> bool {
    let has_one_of = |words: &str| words.split(' ').any(|word| stem.contains(word));
    has_one_of(HAN) && !has_one_of(HAN_HARMLESS)
}
