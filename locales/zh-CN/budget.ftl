budget-used-up-turn = 我先停在这里：一轮对话的用量已到上限。
budget-used-up-user = 我先停在这里：你今天的用量已到上限。
budget-used-up-routine = 我先停在这里：这个定时任务今天的用量已到上限。
budget-used-up-instance = 我先停在这里：今天所有人的总用量已到上限。
budget-used-up-month = 我先停在这里：本月所有人的总用量已到上限。
budget-used-up-owner-asked =
    {""}
    已询问管理者是否为今天提高上限。

budget-in-use-limit-turn = 一轮对话的用量
budget-in-use-limit-user = 你今天的用量
budget-in-use-limit-routine = 这个定时任务今天的用量
budget-in-use-limit-instance = 今天所有人的总用量
budget-in-use-limit-month = 本月所有人的总用量
budget-in-use =
    我先停在这里：{ $limit }所剩不多，其他对话正在使用。
    请过几分钟再发送，或回复“继续”。

budget-begins-anew-turn = 回复“继续”即可在新的一轮里接着做。
budget-begins-anew-month = { $day } 重新开始计算。
budget-begins-anew = 午夜重新开始计算，还有 { $time }。

budget-wait-minutes = { $minutes } 分钟
budget-wait-hours = { $minutes } 小时

budget-warning-turn-user = 你今天的用量已达上限的 { $used } %。
budget-warning-routine = 这个定时任务今天的用量已达上限的 { $used } %。
budget-warning-instance = 今天所有人的总用量已达上限的 { $used } %。
budget-warning-month = 本月所有人的总用量已达上限的 { $used } %。
budget-warning-hint = `/usage` 可查看具体用量。

budget-raised = 管理者已提高今天的上限。请重新发送，或回复“继续”。

budget-card-turn-user = **{ $who }** 今天的上限
budget-card-routine = 定时任务 **{ $who }** 今天的上限
budget-card-instance = 今天所有人的总上限
budget-card-month = 本月所有人的总上限
budget-card-open =
    💰 { $what }已用完：{ $figures }。
    要为今天提高上限吗？
budget-card-raised = ✅ { $what }已提高。已用：{ $figures }。
budget-card-refused = ❌ { $what }保持不变。已用：{ $figures }。
budget-card-expired = ⌛ { $what }未提高：这一天已经结束。

budget-double = 加倍
budget-refuse = 不提高

budget-answered-raised = 已为今天提高。
budget-answered-open-refused-expired = 保持不变。

budget-brief-usage-money = ，花费 { $money }
budget-brief-usage-head = 今天我为你调用了 { $calls } 次模型{ $money }。
budget-brief-usage-unlimited = 你没有额度限制。
budget-brief-usage-part = 占你额度的 { $percent }.{ $tenth }%。
budget-brief-usage =
    { $head }
    { $limit }新的一天还有 { $anew }开始。
budget-usage-here = **本对话今天**：{ $here }，共 { $calls } 次模型调用
budget-usage-own = **你今天**：{ $own }
budget-usage-anew = 新的一天还有 { $anew }开始。
budget-no-prices = 没有配置价格，因此不计算金额。
budget-no-price-of-model = 没有配置 `{ $model }` 的价格，它的用量不计金额。
budget-unpriced-tokens = 你有 { $tokens } 个 token 没有价格。
budget-everybody-today = **所有人今天**：{ $today }
budget-everybody-month = **所有人本月**：{ $month }
budget-tokens-of-limit = { $tokens } / { $most } token（剩余 { $left }）
budget-tokens = { $tokens } token

budget-turn-limit = 每轮对话最多 { $most }。
budget-everybody-people = { $at }. { $name }：{ $amount }

budget-money-of-limit = { $spent } / { $most }（剩余 { $left }）

budget-limit-tokens = { $tokens } token
budget-between-limits = 、
