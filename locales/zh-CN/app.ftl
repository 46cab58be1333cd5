app-online-stop = （Ctrl-C 停止）
app-online-chat = ✓ { $name } 已上线：{ $link }{ $stop }
app-online-invite = ✓ { $name } 已在 { $platform } 上线{ $stop }。添加到服务器：{ $link }
app-online = ✓ { $name } 已在 { $platform } 上线{ $stop }

app-unowned-chat =
    {"  "}还没有管理者。要成为管理者，请在一小时内打开此链接：
    {"  "}{ $link }?start={ $code }
    {"  "}或向 { $name } 发送：/start { $code }
app-unowned-invite-code = {"  "}还没有管理者。要成为管理者，请在一小时内私信 { $name }：/start { $code }

app-contested = 注意：另一个程序正在使用 `channels.{ $name }` 的令牌，这里收不到消息。请停止那个程序，或让 Sayso 使用单独的机器人。我会继续尝试。

app-channel-failed-rest-go-on = 其他渠道继续运行。

app-stopped = 错误：{ $platform } 无法继续：“{ $why }”。
app-token-refused = 请在 @BotFather（/mybots → API Token）重新复制。
app-token-refused-2 = 请在 Developer Portal（你的应用 → Bot → Reset Token）生成新的令牌。
app-token-refused-3 = 错误：{ $platform } 不接受 `{ $key }` 的令牌，{ $said }
