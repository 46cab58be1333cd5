offline-words-guide =
    指南 `{ $name }` 适合这个问题，已放进本轮的提示词。真正的模型会照它做；这个离线模型只能引用它的开头：
    { $beginning }

offline-words-introduction-first = 你好！我是 Sayso，正在使用一个小型离线模型。
offline-words-introduction-again = 我正在使用一个小型离线模型，它听不懂这句话。
offline-words-introduction =
    { $first }
    { $known }
offline-words-known =
    它只懂几种请求：
    - `运行 ls`
    - `列出文件`
    - `读 README.md`
    - `把 你好 写到 note.txt`
    - `记住我喜欢茶`、`你记得茶吗`、`忘记茶`
    要用真正的模型，请运行 `sayso init`，或者设置 `OPENAI_API_KEY` 后重新启动。

offline-words-plan-gaps = 这里没有工具 `{ $tool }`，所以我做不到。

offline-words-step-run = 我来运行 `{ $command }`。
offline-words-step-read = 我来读 `{ $path }`。
offline-words-step-list = 我来列出工作区。
offline-words-step-list-path = 我来列出 `{ $path }`。
offline-words-step-write = 我来写 `{ $path }`。
offline-words-step-remember = 我来记住。
offline-words-step-recall = 我来看看我记得什么。
offline-words-step-forget = 我来忘掉。
offline-words-result-success = { $subject } 完成了，没有输出。
offline-words-result-remembered = 我记下了。
offline-words-result-failed =
    { $subject } 失败了：
    { $all }
offline-words-result-error =
    { $subject } 无法运行：
    { $message }
offline-words-result-sends = `{ $name }` 已发送。
offline-words-result-plans = 计划已记下。
offline-words-result-asks = { $subject } 在问你。
offline-words-result-denied = { $subject } 没有运行：{ $why }
offline-words-result-unknown = { $subject } 被中断了，我不知道结果如何。

offline-words-remembered = 我记得这些：
offline-words-gave = { $subject } 的结果：
offline-words-more-lines =
    {""}
    （还有 { $left } 行）
