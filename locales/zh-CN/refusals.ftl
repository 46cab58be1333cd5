refusals-changes-nothing = 自主级别为 `{ $level }`：不能修改或执行任何东西；可用 `/autonomy` 查看级别
refusals-only-reads = 自主级别为 `{ $level }`：只执行确定只在工作区内读取的命令；{ $reason }；可用 `/autonomy` 查看级别
refusals-forbidden = 这是被禁止的：{ $reason }；任何人都无法批准
refusals-not-confined = `policy.sandbox` 为 `require`，而这台机器无法限制命令；在管理者查看 `sayso doctor` 之前不会执行命令
refusals-partly-confined = `policy.sandbox` 为 `require`，而这台机器只能部分限制命令；在管理者查看 `sayso doctor` 之前不会执行命令
refusals-reaches-the-system = 级别 `full` 不作询问，也不执行不受限制的命令：{ $reason }；在 `supervised` 级别可以由人批准
refusals-network-is-off = 它需要联网，而 `policy.allow_network` 为 `false`：{ $reason }
refusals-chat-only = 对方只能聊天，不能使用工具
refusals-owners-alone = 只有这个 Sayso 的管理者可以修改配置
refusals-outside-the-workspace = `{ $path }` 在工作区之外，工具只能在工作区内使用
refusals-not-plain-commands = 不经询问时只执行 `policy.allow_commands` 中的普通命令：不含展开、通配符、变量、分组、循环或后台运行，也不重定向到工作区之外
refusals-no-list = 不允许 `{ $program }`：`policy.allow_commands` 为空
refusals-not-on-the-list = `{ $program }` 不在 `policy.allow_commands` 之中，其中有 { $allowed }
refusals-hides-what-it-runs = `{ $program }` 会启动其他程序，`policy.allow_commands` 无法判断
refusals-no-secrets = 没有名为 `{ $name }` 的机密
# Leaves out $known: the names are for the model.
refusals-unknown-secret = 没有名为 `{ $name }` 的机密
refusals-secret-without-hosts = 机密 `{ $name }` 不会发送到 `{ $server }`：`secrets.{ $name }.hosts` 中没有它，或者不是 `https`
# Leaves out $hosts: the list is for the model.
refusals-secret-other-host = 机密 `{ $name }` 不会发送到 `{ $server }`：`secrets.{ $name }.hosts` 中没有它，或者不是 `https`
# Leaves out $hosts: the list is for the model.
refusals-secret-over-http = 机密 `{ $name }` 不会发送到 `{ $server }`：`secrets.{ $name }.hosts` 中没有它，或者不是 `https`
refusals-secret-without-commands = 机密 `{ $name }` 不会交给 `{ $program }`：它不在 `secrets.{ $name }.commands` 之中
# Leaves out $commands: the list is for the model.
refusals-secret-other-program = 机密 `{ $name }` 不会交给 `{ $program }`：它不在 `secrets.{ $name }.commands` 之中
# Leaves out $variable: the example is for the model.
refusals-secret-plain-commands = 机密 `{ $name }` 只交给普通命令：不含展开、通配符、分组、循环、后台运行或写入文件的重定向
refusals-mcp-denied = `{ $tool }` 在 MCP 服务器 `{ $server }` 的 `deny` 列表之中，任何人都无法批准
refusals-mcp-not-listed = `{ $tool }` 不在 MCP 服务器 `{ $server }` 的 `allow` 列表之中，而 `full` 级别不会询问任何人
refusals-host-denied = `{ $host }` 在 `policy.deny_hosts` 之中，从不访问
refusals-host-not-listed = `{ $server }` 不在 `policy.allow_hosts` 之中，而 `full` 级别不会询问任何人
refusals-port-not-open = `{ $server }`：只开放 80 和 443 端口，其他端口要在 `policy.allow_hosts` 等规则里写明
refusals-member-system = 它超出了你自己的工作区，你不是这个 Sayso 的管理者，而 `policy.members_system` 为 `deny`
refusals-member-network = 它需要联网，你不是这个 Sayso 的管理者，而 `policy.members_network` 为 `deny`
