### What the channel Discord says by itself.

## A command could not be stored.

discord-command-not-stored = I could not take this command just now. Please give it again.

## A press could not be stored.

discord-press-not-stored = I could not take this press just now. Please press again.

## The app is used where the bot is not.

discord-not-a-member = I cannot speak here. Write me a direct message, or use me in a server that I am in.

## An interaction of an unknown kind.

discord-not-understood = This version of Sayso does not know what to do with that.
