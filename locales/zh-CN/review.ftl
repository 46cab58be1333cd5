review-owners-only = 只有管理者可以这样做：技能会指导我为所有使用者做事。

review-too-long = 太长了。

review-not-there = { $name } 既没有安装，也没有在这里获得批准。

review-looking-install-pin = 正在查看 { $source } …
review-looking-remove = 正在移除 { $source } …

review-not-done-refused =
    🚫 未采用 { $source }：{ $why }。
    没有任何改动。
review-not-done-is-approved = { $source } 当前的内容已获批准。

review-asking-more = 提交：{ $commit }
review-asking-all = 全部内容见上面的文件。

review-heading-install = **替换技能 `{ $name }` 吗？** 来自 { $source }
review-heading-install-for-everybody = **安装技能 `{ $name }` 吗？** 来自 { $source }，所有人可用。
review-heading-installed = **已安装的技能 `{ $name }` 有改动。按现在的内容加载吗？**
review-heading-workspace = **这个工作区的技能 `{ $name }` 有改动。按现在的内容加载吗？**
review-heading-workspace-new = **加载这个工作区的技能 `{ $name }` 吗？**
review-files = 文件：{ $count } 个，{ $bytes } 字节：{ $list }

review-names-tools = 声明的工具：{ $tools }。这不会给它任何权限。
review-names-hosts = 提到的主机：{ $hosts }

review-listed = 另有 { $more } 个
review-same-name-replaces = ⚠️ 它会取代同名的技能。
review-same-name-behind = 管理者的同名技能优先于它。
review-flags-none = 没有发现可疑之处，但这不等于安全，请自己读一读。
review-flags-heading = **请注意：**
review-flags-more = （另有 { $more } 处）
review-flags-one =
    {""}
    - { $what }：{ $file } 第 { $line } 行{ $more }
review-flag-download-and-run = ⚠️ 下载后直接运行
review-flag-orders = ⚠️ 像攻击那样下指令
review-flag-hidden-text = ⚠️ 有看不见的文字
review-flag-password-archive = ⚠️ 带密码的压缩包
review-flag-encoded = ⚠️ 编码过的内容
review-flag-secrets = ⚠️ 读取密钥或密码
review-flag-binary = 不是文本
review-flag-script = 脚本

review-add-changes-note =
    {""}
    {"["}文件中还有 { $more } 行]

review-approve = 批准
review-deny = 拒绝

review-pressed-approve = 已批准。
review-pressed-deny = 不做任何改动。

review-changed-since =
    ⚠️ `{ $name }`：已按展示的内容批准，但此后又被改动，因此没有加载。
    请用 `/skills approve { $name }` 再看一遍。

review-ended-denied = 🚫 { $name }：已拒绝。
review-ended-expired = ⌛ { $name }：未及时答复。
review-ended-approved-placed = ✅ { $name }：已批准，正在就位 …
review-ended-install = ✅ { $name } 已安装。
review-ended-pin = ✅ { $name } 已按展示的内容加载。
review-ended-remove = { $name } 不再加载。
