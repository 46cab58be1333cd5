discord-command-not-stored = 我现在无法接收这条命令，请再试一次。

discord-press-not-stored = 我现在无法处理这次点击，请再按一次。

discord-not-a-member = 我无法在这里发言。请私信我，或在我所在的服务器中使用我。

discord-not-understood = 此版本的 Sayso 不知道如何处理这个操作。
