### What `sayso init` says.

##

init-welcome =
    This writes { $file }. Enter takes what stands in brackets, `<` goes back to the question before.
    A secret can be typed here, or be kept elsewhere: `env:NAME` or `file:PATH`.
init-overwrite = { $file } exists. Replace it? (yes/no)
init-nothing-changed = Nothing was changed.
init-botfather-steps =
    {""}
    Telegram
    {"  "}1. Open https://t.me/BotFather in Telegram and send /newbot.
    {"  "}2. Give the bot a name, then a username that ends in `bot`.
    {"  "}3. BotFather answers with a token such as 123456:ABC-def; paste it here.
    Leave it empty to go without Telegram.
init-developer-portal-steps =
    {""}
    Discord
    {"  "}1. Open https://discord.com/developers/applications and choose New Application.
    {"  "}2. On the page Bot, choose Reset Token and copy the token; paste it here.
    {"  "}3. On the same page, switch on Message Content Intent, so that it sees what was said around a mention.
    {"  "}4. Afterwards open the invite link that is shown below, and choose your server.
    Leave it empty to go without Discord.
init-no-discord-token = That is no token: it has three parts of letters and digits with dots between them; or `env:NAME`, `file:PATH`.
init-discord-owner = Your Discord user ID, a number (empty: pair by a code that `sayso` prints at its start)
init-token = Token
init-no-token = That is no token: it has digits, a colon, then letters; or `env:NAME`, `file:PATH`.
init-owner = Your Telegram number (empty: pair by a code that `sayso` prints at its start)
init-no-account = That is no number. It is not the @name; leave it empty if you do not know it.
init-about-models =
    {""}
    Model
    {"  "}1 openai      OpenAI, and each service or local server with its protocol
    {"  "}2 anthropic   Anthropic (Claude)
    {"  "}3 deepseek    DeepSeek
    {"  "}4 openrouter  OpenRouter, many models by one key
    {"  "}5 ollama      Ollama on this machine, no key
    {"  "}6 llama.cpp   llama-server on this machine, no key
    {"  "}7 offline     built in, needs no network, understands only a few requests
init-kind = Service (name or number)
init-no-kind = Write a name or number of the list, such as `openai` or `1`.
init-is-a-model = { $model } is a model; its kind is { $kind }. Use that? (yes/no)
init-with-version = The address usually ends in /v1. Use { $address }? (yes/no)
init-type-again = Type it again? (yes/no)
init-base-url = Address of the service
init-no-url = Write an address that begins with http:// or https:// and holds no password.
init-api-key = Key (empty: none is needed)
init-model = Model, as the service names it
init-data-dir =
    {""}
    Directory for the database and the workspaces
init-written =
    {""}
    Written: { $file } (only you can read it).
init-correct-before-start = set or correct it before the start; `sayso config check` tells whether all is well
init-talk-to =
    {""}
    Talk to it in Telegram, once it runs: { $link }
init-next-step =
    {""}
    Next: start it with `{ $command }`.
init-pairing = It then shows the link or the code that makes you its owner.
init-find-problems = `sayso doctor` looks for problems.

## A question, and where the answer is typed.

# The answers to a question that ends in (yes/no). `y`, `yes` and `是` are read in every language.
init-yes = yes
init-no = no
init-asked = { $question }:{" "}
init-asked-with-default = { $question } [{ $default }]:{" "}
init-asked-in-secret = { $question } (what you type is not shown):{" "}
