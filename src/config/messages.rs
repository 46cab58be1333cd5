//! Why a configuration cannot be used, written from values.
//!
//! Each part of a refusal is an enum: what is allowed ([`Rule`]), why something is missing or
//! cannot be read ([`Reason`]), what to write instead ([`Hint`]). [`Sentence`] joins
//! them.

use sayso_channel::{Language, text};

/// Declares the situations of an enum, each with its values and the keys of their texts.
macro_rules! situations {
    ($(
        $(#[$about:meta])*
        $visible:vis $name:ident {$(
            $(#[$doc:meta])*
            $variant:ident $(($($value:ident: $type:ty),*))? $key:literal
        )*}
    )*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        $visible enum $name {$(
            $(#[$doc])*
            $variant $({$(
                /// A value in its text.
                $value: $type,
            )*})?,
        )*}

        impl $name {
            /// Returns the text in a language.
            $visible fn in_words(&self, language: Language) -> String {
                match self {$(
                    Self::$variant $({ $($value),* })? => {
                        text!(language, $key $($(, $value = $value.written(language))*)?).into()
                    }
                )*}
            }
        }
    )*};
}

/// A value as it stands in a text.
pub(super) trait Written {
    /// Returns it in a language.
    fn written(&self, language: Language) -> String;
}

macro_rules! written_plainly {
    ($($value:ty)*) => {
        $(impl Written for $value {
            fn written(&self, _: Language) -> String {
                self.to_string()
            }
        })*
    };
}

written_plainly!(String &'static str i64 u32 u64 usize);

/// Words of which one is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices(pub &'static [&'static str]);

impl Written for Choices {
    fn written(&self, language: Language) -> String {
        let code = |word: &&str| format!("`{word}`");
        match self.0.split_last() {
            None => String::new(),
            Some((last, [])) => code(last),
            Some((last, rest)) => {
                let others: Vec<String> = rest.iter().map(code).collect();
                let rest = others.join(text!(language, "list-names"));
                text!(language, "config-one-or-another", rest, last = code(last))
            }
        }
    }
}

/// Names, as code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl Written for Names {
    fn written(&self, language: Language) -> String {
        let names: Vec<String> = self.0.iter().map(|name| format!("`{name}`")).collect();
        names.join(text!(language, "list-names"))
    }
}

situations! {
    /// What a key takes: "must be ...".
    pub Rule {
        /// Any text.
        Text "config-rule-text"
        /// A secret as the file has it.
        QuotedSecret "config-rule-quoted-secret"
        /// A secret that is empty.
        Secret "config-rule-secret"
        /// One of some words.
        OneOf(words: Choices) "config-rule-one-of"
        /// A whole number.
        Whole(least: i64, most: i64) "config-rule-whole"
        /// A word or a whole number.
        AutoOrWhole(least: i64, most: i64) "config-rule-auto-or-whole"
        /// A number.
        Decimal(least: String, most: String) "config-rule-decimal"
        /// On or off.
        Switch "config-rule-switch"
        /// A list.
        Texts "config-rule-texts"
        /// A list of secrets.
        Secrets "config-rule-secrets"
        /// A list of variables.
        Variables "config-rule-variables"
        /// A list of tables.
        Sections(list: String) "config-rule-sections"
        /// A table.
        Section(path: String) "config-rule-section"
        /// A table that a variable tried to set.
        SectionOfFile "config-rule-section-of-file"
        /// The name of an account.
        AccountName "config-rule-account-name"
        /// The table of a secret.
        SecretSection "config-rule-secret-section"
        /// The table of a project.
        ProjectSection "config-rule-project-section"
        /// All projects.
        ProjectSections(most: usize) "config-rule-project-sections"
        /// The folder of a project.
        ProjectPath "config-rule-project-path"
        /// The folder of a project in which Sayso keeps its data, or the other way round.
        ProjectBesideData "config-rule-project-beside-data"
        /// The folder of a project that shares files with another.
        ProjectApart(other: String) "config-rule-project-apart"
        /// Who may choose a project.
        ProjectPeople "config-rule-project-people"
        /// How one is verified.
        ProjectChecks "config-rule-project-checks"
        /// All secrets.
        SecretSections(most: usize) "config-rule-secret-sections"
        /// Where the data is.
        Directory "config-rule-directory"
        /// Where something listens.
        SocketAddress(example: &'static str) "config-rule-socket-address"
        /// An address of HTTP.
        Address "config-rule-address"
        /// An address of HTTP, as a channel has it.
        HttpAddress "config-rule-http-address"
        /// An address that an endpoint is added to.
        AddressBefore "config-rule-address-before"
        /// Where Telegram calls.
        WebhookAddress "config-rule-webhook-address"
        /// What Telegram shows.
        WebhookSecret "config-rule-webhook-secret"
        /// A bot of Telegram.
        TelegramToken "config-rule-telegram-token"
        /// A bot of Discord.
        DiscordToken "config-rule-discord-token"
        /// Connections to Discord.
        Shards "config-rule-shards"
        /// Two accounts with one token.
        OtherToken(other: String) "config-rule-other-token"
        /// A channel that is not built in.
        LeftOutOfBuild(channel: &'static str) "config-rule-left-out-of-build"
        /// A key of the webhook.
        LeftOutUnlessWebhook "config-rule-left-out-unless-webhook"
        /// Another database.
        NotPostgres "config-rule-not-postgres"
        /// The database.
        Database "config-rule-database"
        /// Owners.
        Owners "config-rule-owners"
        /// Members.
        Accounts "config-rule-accounts"
        /// Levels of accounts.
        Levels "config-rule-levels"
        /// Command rules without a home directory.
        RulesWithoutHome "config-rule-rules-without-home"
        /// Command rules in a directory.
        RulesInDirectory "config-rule-rules-in-directory"
        /// Command rules that cannot be read.
        RulesUnreadable(error: String) "config-rule-rules-unreadable"
        /// Command rules that are wrong.
        RulesBroken(error: String) "config-rule-rules-broken"
        /// Programs.
        Programs "config-rule-programs"
        /// Programs that may get a secret.
        OrdinaryPrograms "config-rule-ordinary-programs"
        /// Hosts.
        Hosts "config-rule-hosts"
        /// Hosts of the own network.
        SingleHosts "config-rule-single-hosts"
        /// Hosts that may get a secret.
        SecretHosts "config-rule-secret-hosts"
        /// The value of a secret.
        LongSecret "config-rule-long-secret"
        /// What a secret is for.
        Line(most: usize) "config-rule-line"
        /// How money is written.
        Currency "config-rule-currency"
        /// A zone of the world.
        Zone "config-rule-zone"
        /// What becomes of a missed run.
        LateRun "config-rule-late-run"
        /// When unasked messages wait.
        QuietHours "config-rule-quiet-hours"
        /// A model that is priced already.
        UnpricedModel "config-rule-unpriced-model"
        /// A limit that cannot be counted.
        ZeroWithoutPrice(model: String) "config-rule-zero-without-price"
        /// A key of an embedding server.
        LeftOutBesideDirectory "config-rule-left-out-beside-directory"
        /// A model on disk.
        ModelDirectory "config-rule-model-directory"
        /// A provider.
        Name "config-rule-name"
        /// A provider that is named like another one.
        OtherName "config-rule-other-name"
        /// What only one kind takes.
        LeftOutOfKind(kind: &'static str) "config-rule-left-out-of-kind"
        /// A template.
        LeftOutUnlessCompletion "config-rule-left-out-unless-completion"
        /// Tokens of thinking.
        ZeroOfKind(kind: &'static str) "config-rule-zero-of-kind"
        /// Calls in text.
        AutoCalls "config-rule-auto-calls"
        /// Tokens of thinking.
        ZeroOrFrom(least: u32) "config-rule-zero-or-from"
        /// Anthropic's temperature.
        LowTemperature "config-rule-low-temperature"
        /// Further models.
        OtherModels "config-rule-other-models"
        /// One key or several.
        LeftOutBesideKey "config-rule-left-out-beside-key"
        /// A key that is written twice.
        DifferentKeys "config-rule-different-keys"
        /// An MCP server.
        ServerName "config-rule-server-name"
        /// A key of the other sort of server.
        LeftOutOfServer(other: &'static str) "config-rule-left-out-of-server"
        /// A program and an address.
        LeftOutBesideCommand "config-rule-left-out-beside-command"
        /// A program.
        Program "config-rule-program"
        /// An address for a token.
        SecureAddress "config-rule-secure-address"
        /// Who Sayso is.
        ClientId "config-rule-client-id"
        /// A secret without a client.
        LeftOutWithoutClient "config-rule-left-out-without-client"
        /// A login and a token.
        LeftOutBesideToken "config-rule-left-out-beside-token"
        /// The environment of a server.
        NamedVariables "config-rule-named-variables"
        /// Tools.
        ToolNames "config-rule-tool-names"
    }

    /// Why a key must be set, or why something cannot be read.
    pub Reason {
        /// Its section is there.
        IsConfigured(section: String) "config-reason-is-configured"
        /// Telegram calls us.
        IsWebhook(section: String) "config-reason-is-webhook"
        /// A price without a number.
        PriceIsWhole "config-reason-price-is-whole"
        /// A secret that is none.
        NeedsValue "config-reason-needs-value"
        /// A project without a folder.
        NeedsPath "config-reason-needs-path"
        /// A provider without a model.
        NeedsModel(kind: &'static str) "config-reason-needs-model"
        /// An MCP server without a name.
        NeedsServerName "config-reason-needs-server-name"
        /// An MCP server that is nowhere.
        NeedsServer "config-reason-needs-server"
        /// A variable is missing.
        VariableNotSet "config-reason-variable-not-set"
        /// No home directory.
        HomeNotSet "config-reason-home-not-set"
        /// An empty file or variable.
        Empty "config-reason-empty"
        /// A directory in the place of a file.
        IsDirectory "config-reason-is-directory"
        /// Another encoding.
        FileNotUtf8 "config-reason-file-not-utf8"
        /// The system refuses.
        FileUnreadable(error: String) "config-reason-file-unreadable"
        /// The system refuses.
        System(error: String) "config-reason-system"
        /// No configuration is that long.
        TooLong(bytes: u64) "config-reason-too-long"
        /// Another encoding.
        Utf16 "config-reason-utf16"
        /// Another encoding.
        LineNotUtf8(line: usize) "config-reason-line-not-utf8"
    }

    /// What to write instead.
    pub Hint {
        /// A misspelled word.
        Nearest(word: &'static str) "config-hint-nearest"
        /// A service by its name.
        SpeaksOpenAi(address: &'static str) "config-hint-speaks-open-ai"
        /// A text without quotes.
        InQuotes "config-hint-in-quotes"
        /// The same, with what was meant.
        InQuotesAs(name: String, meant: String) "config-hint-in-quotes-as"
        /// A number in quotes.
        WithoutQuotes "config-hint-without-quotes"
        /// The same, with what was meant.
        WithoutQuotesAs(name: String, meant: String) "config-hint-without-quotes-as"
        /// One value where several may stand.
        AsList "config-hint-as-list"
        /// The same, with what was meant.
        AsListAs(name: String, meant: String) "config-hint-as-list-as"
        /// The right value.
        Write(value: String) "config-hint-write"
        /// The right line, or another one.
        WriteLike(name: &'static str, example: &'static str) "config-hint-write-like"
        /// A file in another encoding.
        SaveAsUtf8 "config-hint-save-as-utf8"
        /// A directory that has the file.
        FileInside(path: String) "config-hint-file-inside"
        /// A directory in the place of the file.
        FileItself "config-hint-file-itself"
        /// A bot of Telegram.
        TelegramToken "config-hint-telegram-token"
        /// A bot of Discord.
        DiscordToken "config-hint-discord-token"
        /// A price.
        Price "config-hint-price"
        /// A secret.
        SecretValue "config-hint-secret-value"
        /// The folder of a project.
        ProjectPath "config-hint-project-path"
        /// A model.
        Model(example: &'static str) "config-hint-model"
        /// A model of embeddings.
        EmbeddingModel "config-hint-embedding-model"
        /// An MCP server.
        ServerName "config-hint-server-name"
        /// Where an MCP server is.
        Server "config-hint-server"
        /// SearXNG.
        Searxng "config-hint-searxng"
        /// Brave.
        Brave "config-hint-brave"
    }

    /// What a value of another type is; a secret is not shown.
    pub Found {
        /// A text.
        Text(shown: String) "config-found-text"
        /// A number.
        Number(shown: String) "config-found-number"
        /// A switch.
        Switch(shown: String) "config-found-switch"
        /// A text that is not shown.
        HiddenText "config-found-hidden-text"
        /// A number that is not shown.
        HiddenNumber "config-found-hidden-number"
        /// A switch that is not shown.
        HiddenSwitch "config-found-hidden-switch"
        /// A date or a time.
        Time "config-found-time"
        /// A list.
        List "config-found-list"
        /// A table.
        Section "config-found-section"
    }

    /// A frequent mistake in a file that is not TOML.
    pub Mistake {
        /// Quotes as a word processor writes them.
        TypographicQuotes "config-mistake-typographic-quotes"
        /// A text without quotes, as the value of this key.
        BareText(key: String) "config-mistake-bare-text"
        /// A text without quotes in the list of this key.
        BareItem(key: String) "config-mistake-bare-item"
    }

    /// What named a file.
    pub NamedBy {
        /// The option.
        Option "config-named-by-option"
        /// The variable.
        Variable "config-named-by-variable"
        /// It was searched for.
        Search "config-named-by-search"
    }

    /// Why owners may not change a key so in chat.
    pub OutOfBounds {
        /// It is not one of those keys.
        NotInChat(key: String, known: Names) "config-out-of-bounds-not-in-chat"
        /// A higher word.
        NoHigher(key: String, value: String) "config-out-of-bounds-no-higher"
        /// On, where it is off.
        OnlyOff(key: String, value: String) "config-out-of-bounds-only-off"
        /// Too much.
        AtMost(key: String, most: String, value: String) "config-out-of-bounds-at-most"
        /// Another model.
        NotOffered(key: String, models: Names, value: String) "config-out-of-bounds-not-offered"
    }

    /// One refusal, of its parts.
    pub(super) Sentence {
        /// A file that was named is not there.
        NoFile(path: String, named_by: String) "config-sentence-no-file"
        /// A directory.
        Directory(path: String, named_by: String) "config-sentence-directory"
        /// A file that cannot be read.
        Unreadable(path: String, why: String) "config-sentence-unreadable"
        /// A file that is not TOML.
        Syntax(path: String, line: usize, column: usize, why: String) "config-sentence-syntax"
        /// What the parser says, which is English.
        Parser(message: String) "config-sentence-parser"
        /// What is wrong with a key.
        Key(place: String, fault: String) "config-sentence-key"
        /// An unknown key.
        UnknownKey(key: String, section: String, allowed: String) "config-sentence-unknown-key"
        /// The top of the file.
        TheFile "config-sentence-the-file"
        /// A section without keys.
        NoKeys "config-sentence-no-keys"
        /// A value that is not allowed.
        Refused(key: String, value: String, allowed: String) "config-sentence-refused"
        /// A value that is not shown.
        RefusedUnseen(key: String, allowed: String) "config-sentence-refused-unseen"
        /// A value of another type.
        WrongType(key: String, found: String, allowed: String) "config-sentence-wrong-type"
        /// A key that must be set.
        Missing(key: String, because: String) "config-sentence-missing"
        /// A secret that is elsewhere.
        NoSecret(key: String, place: String, why: String) "config-sentence-no-secret"
        /// An internal error.
        Inconsistent(why: String) "config-sentence-inconsistent"
        /// What to do.
        Hint(hint: String) "config-sentence-hint"
        /// Where a value comes from: a variable.
        OfVariable(name: String) "config-sentence-of-variable"
        /// An owner.
        OfChat "config-sentence-of-chat"
        /// Built in.
        OfDefault "config-sentence-of-default"
    }
}
