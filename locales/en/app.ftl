### The start and the channels, for the owner at the terminal.

## A bot can be written to.

app-online-stop = {" "}(Ctrl-C stops)
app-online-chat = ✓ { $name } is online: { $link }{ $stop }
app-online-invite = ✓ { $name } is online on { $platform }{ $stop }. Add it to a server: { $link }
app-online = ✓ { $name } is online on { $platform }{ $stop }

## The bot has no owner yet, and this makes one.

app-unowned-chat =
    {"  "}It has no owner yet. To become its owner, open this link within an hour:
    {"  "}{ $link }?start={ $code }
    {"  "}or send { $name } the message: /start { $code }
app-unowned-invite-code = {"  "}It has no owner yet. To become its owner, send { $name } this direct message within an hour: /start { $code }

## Another program listens with the token of a channel.

app-contested = warning: another program uses the token of `channels.{ $name }`, so messages do not arrive here. Stop it, or give Sayso a bot of its own. I keep trying.

## A channel cannot go on.

app-channel-failed-rest-go-on = {" "}The other channels go on.

##

app-stopped = error: { $platform } cannot go on: { $why }.
app-token-refused = Copy it again from @BotFather (/mybots → API Token).
app-token-refused-2 = Make a new one in the Developer Portal (your application → Bot → Reset Token).
app-token-refused-3 = error: { $platform } rejects the token of `{ $key }`. { $said }
