### Files of routines (`sayso routines import`).

## What is wrong in one. Names of keys stay as they are.

# $why is one of the texts below, or what the reader of TOML says
import-line = line { $line }: { $why }
import-person = `person` is `{ $account }`, and no such account is known; write one as `telegram:12345`
import-chat = `chat` is `{ $chat }`, and no such chat is known; write one as `telegram:-100123`
import-others-chat = `chat` is `{ $chat }`, the direct chat of another person; it is the person's own or a group
import-starts = exactly one of `schedule`, `on_file`, `on_words` and `on_webhook` says what starts it
import-schedule = `schedule` is `{ $schedule }`; write five fields of cron (`0 9 * * 1-5`), `every 2 hours`, `every weekday at 9`, or `at 2026-12-01 09:00`
import-too-often = `schedule` comes more often than every { $minutes } minutes
import-zone = `zone` is `{ $zone }`; write one as IANA names it, `Europe/Berlin`, or leave it out for the person's
import-from = `from` is `{ $from }`; write a moment as `2026-11-18T10:30:00+08:00`
import-late = `late` is `{ $late }`; allowed are `half`, `skip` and a time such as `6h` or `90m`
import-glob = `on_file` is a pattern of names in the workspace of at most 200 characters, such as `reports/*.csv`
import-secret-files = `on_file` names files that keep secrets, and those start no routine
import-phrases = `on_words` has 1 to 10 words or phrases, each with at least two letters or one Chinese character and at most 80 characters
import-triggered-reminder = reminders are started by `schedule` alone; `kind` is to be `turn`
import-words-outside-group = `on_words` is for groups, and `chat` is a direct chat
import-webhook-in-group = `on_webhook` is for direct chats, and `chat` is a group
import-no-listener = `on_webhook` needs the HTTP listener (`http.listen`)
import-too-many = the person would have more than { $most } of this kind
# $key is the name of a key
import-no-words = `{ $key }` is empty
import-long-words = `{ $key }` has { $length } characters; allowed are 1 to { $most }
import-orders = `{ $key }` gives orders to get around the rules of a model
