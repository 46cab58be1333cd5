### Messages that appear where they were not asked for, and what is hidden in one.

## Below a message that belongs into a topic which is gone or closed.

delivery-around-topic = ↪ This belongs into the topic “{ $topic }”, where I cannot write: { $why }.{ $about }
delivery-around-unnamed-topic = ↪ This belongs into a topic where I cannot write: { $why }.{ $about }

## Below a message that comes in private, since the chat does not take it.

delivery-in-private = ↪ I cannot say this where you asked: { $why }.{ $about }

## Names a request in a line of its own.

delivery-about =
    {""}
    It is about: { $short }

## Stands in the place of a secret that is hidden.

delivery-hidden-api-key = ••• (hidden: looks like an API key)
delivery-hidden-access-token = ••• (hidden: looks like an access token)
delivery-hidden-private-key = ••• (hidden: a private key)
delivery-hidden-password = ••• (hidden: looks like a password)
delivery-hidden-own-secret = ••• (hidden: a secret from my settings)
delivery-hidden-other = ••• (hidden: looks like a secret)
