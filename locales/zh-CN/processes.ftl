processes-ended =
    ⚠️ 后台运行的命令已结束：{ $command }
    { $how }

processes-how-exited = 它自行退出，退出码 { $code }。
processes-how-killed = 它被 { $signal } 终止。
processes-how-overdrawn = 它使用的内存、进程或磁盘超出了限制。
processes-how-timed-out = 运行时间已到。如果还需要，请让我重新启动。
processes-how-stopped = 它已被停止。
processes-how-lost = 不清楚它是怎么结束的。
processes-how-not-started = 无法启动。
processes-how-with-program = 我重启时它也随之结束。如果还需要，请让我重新启动。
