### Files of routines (`sayso routines import`).

## What is wrong in one. Names of keys stay as they are.

# $why is one of the texts below, or what the reader of TOML says
import-line = 第 { $line } 行：{ $why }
import-person = `person` 为 `{ $account }`，没有这个账号；写法如 `telegram:12345`
import-chat = `chat` 为 `{ $chat }`，没有这个聊天；写法如 `telegram:-100123`
import-others-chat = `chat` 为 `{ $chat }`，是他人的私聊；只能是本人的私聊或群
import-starts = `schedule`、`on_file`、`on_words`、`on_webhook` 必须且只能写一个
import-schedule = `schedule` 为 `{ $schedule }`；可写五段 cron（`0 9 * * 1-5`）、`every 2 hours`、`每个工作日9点` 或 `at 2026-12-01 09:00`
import-too-often = `schedule` 的间隔短于 { $minutes } 分钟
import-zone = `zone` 为 `{ $zone }`；请写 IANA 时区名，如 `Asia/Shanghai`，省略则用本人的时区
import-from = `from` 为 `{ $from }`；写法如 `2026-11-18T10:30:00+08:00`
import-late = `late` 为 `{ $late }`；可写 `half`、`skip` 或一段时间，如 `6h`、`90m`
import-glob = `on_file` 是工作区中的文件名模式，最长200个字符，如 `reports/*.csv`
import-secret-files = `on_file` 指向存放机密的文件，这类文件不能启动例行任务
import-phrases = `on_words` 为 1 到 10 个词语，每个至少两个字母或一个汉字，最多 80 个字符
import-triggered-reminder = 提醒只能由 `schedule` 启动；`kind` 应为 `turn`
import-words-outside-group = `on_words` 只用于群，而 `chat` 是私聊
import-webhook-in-group = `on_webhook` 只用于私聊，而 `chat` 是群
import-no-listener = `on_webhook` 需要 HTTP 监听地址（`http.listen`）
import-too-many = 此人该类任务将超过 { $most } 个
# $key is the name of a key
import-no-words = `{ $key }` 为空
import-long-words = `{ $key }` 有 { $length } 个字符；允许 1 到 { $most } 个
import-orders = `{ $key }` 含有绕过模型规则的指令
