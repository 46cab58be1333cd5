### Texts of the operator.

## Why something of the operator's texts is left out, behind the name of the file.

knowledge-too-large = it is larger than 256 KiB
knowledge-not-text = it is not text in a known encoding
knowledge-leads-out = it is a link that leads out of the directory
knowledge-no-file = it is no plain file
knowledge-unreadable = it cannot be read: { $error }
knowledge-no-room = there is no room: 200 files and 4 MiB are the most
knowledge-gives-orders = the passage below `{ $heading }` gives orders to the model, as an attack does
