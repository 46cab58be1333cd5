### Commands in the background.

## A process ended without a request to stop it.

processes-ended =
    ⚠️ What ran in the background has ended: { $command }
    { $how }

##

processes-how-exited = It ended by itself with exit code { $code }.
processes-how-killed = It was ended by { $signal }.
processes-how-overdrawn = It used more memory, processes or disk than it may.
processes-how-timed-out = Its time was up. Ask me to start it again if you still need it.
processes-how-stopped = It was stopped.
processes-how-lost = How it ended is not known.
processes-how-not-started = It could not be started.
processes-how-with-program = It ended when I was restarted. Ask me to start it again if you still need it.
