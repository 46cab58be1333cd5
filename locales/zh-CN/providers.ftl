providers-unreachable-owner =
    我连不上模型服务。
    请检查网络和 sayso.toml 的 `base_url`（可用 `sayso doctor`）。
providers-unreachable = 我暂时连不上模型，请一分钟后再试。
providers-timed-out = 模型太久没有回答。把要求写短一些可能会有帮助。
providers-busy = 模型繁忙，请{ $wait }再试。
providers-wait-a-minute = 一分钟后
providers-wait-seconds = {" "}{ $seconds } 秒后
providers-wait-minutes = {" "}{ $minutes } 分钟后
providers-starting = 模型还在启动，请一分钟后再试。
providers-broken = 模型服务那边出了问题，请过几分钟再试。
providers-garbage = 模型没有给出可用的回答。要再试一次吗？
providers-repeating = 模型一直在重复同样的内容，我已将它中断。要再试一次吗？
providers-missing-owner =
    我还没有可用的模型。
    请用 `sayso init` 或者 `OPENAI_API_KEY` 设置一个，然后重新启动我。
providers-missing = 我还没有可用的模型，只有管理者可以设置。
providers-out-of-order = 我暂时用不了，只有管理者可以修复。
providers-refused-key =
    模型服务拒绝了 API 密钥。
    请检查 sayso.toml 的 `api_key`（可用 `sayso doctor`）。
providers-refused-credit =
    模型服务的账户额度用完了。
    请去那里检查余额。
providers-refused-model =
    模型服务不认识设置的模型。
    请检查 sayso.toml 的 `model` 和 `base_url`（可用 `sayso doctor`）。
providers-refused-length =
    这段对话对模型来说太长了。
    请用 `/new` 开始新对话，或者一次少发一些。
providers-refused-owner =
    模型服务拒绝了这个请求。
    如果对话很长，可以用 `/new` 开始新对话；否则请看日志里的原因。
providers-refused =
    模型服务拒绝了这个请求。
    如果对话很长，可以用 `/new` 开始新对话。
providers-tokens-of = 它约有 { $asked } 个词元，模型最多能读 { $limit } 个。
providers-tokens-limit = 模型最多能读 { $limit } 个词元。
