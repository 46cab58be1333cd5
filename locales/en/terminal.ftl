### What the terminal says by itself.

## What the line that is being typed begins with.

terminal-prompt = you>{" "}

## After Ctrl-C: how to leave.

terminal-how-to-leave = Press Ctrl-C again to leave.

## A file that came with a message.

terminal-file = File { $name }: { $path }

## Why an attachment cannot be fetched.

terminal-no-attachments = a terminal has no attachments
