### Skills that an owner reviews.

## Somebody else than an owner wants or presses.

review-owners-only = Only an owner can do this: a skill tells me what to do for everybody who uses it.

## The source is longer than any valid one.

review-too-long = That is too long.

## A skill that was to be removed is neither installed nor approved.

review-not-there = { $name } is neither installed nor approved here.

## What is said at once.

review-looking-install-pin = Looking at { $source } …
review-looking-remove = Taking { $source } away …

## Says it.

review-not-done-refused =
    🚫 { $source } was not taken: { $why }.
    Nothing was changed.
review-not-done-is-approved = { $source } is approved as it is.

## The card: what it is, what is in it, and what should be looked at.

review-asking-more = Commit: { $commit }
review-asking-all = All of it is in the file above.

##

review-heading-install = **Replace the skill `{ $name }`?** From { $source }
review-heading-install-for-everybody = **Install the skill `{ $name }`?** From { $source }, for everybody.
review-heading-installed = **The installed skill `{ $name }` changed. Load it as it is now?**
review-heading-workspace = **The skill `{ $name }` of this workspace changed. Load it as it is now?**
review-heading-workspace-new = **Load the skill `{ $name }` of this workspace?**
review-files = Files: { $count }, { $bytes } bytes: { $list }

## The lines with declared tools and hosts, where there are some.

review-names-tools = Declares tools: { $tools }. That gives it no rights.
review-names-hosts = Names hosts: { $hosts }

##

review-listed = { $more } more
review-same-name-replaces = ⚠️ It takes the place of a skill of the same name.
review-same-name-behind = The owner's skill of the same name goes before it.
review-flags-none = Nothing in it stands out. That is no proof: read it.
review-flags-heading = **Look at this:**
review-flags-more = {" "}(and { $more } more)
review-flags-one =
    {""}
    - { $what }: { $file }, line { $line }{ $more }
review-flag-download-and-run = ⚠️ fetches something and runs it at once
review-flag-orders = ⚠️ gives orders as an attack would
review-flag-hidden-text = ⚠️ text that does not show
review-flag-password-archive = ⚠️ an archive with a password
review-flag-encoded = ⚠️ encoded text
review-flag-secrets = ⚠️ reads keys or passwords
review-flag-binary = no text
review-flag-script = scripts

## Adds what changed, as much as there is room for.

review-add-changes-note =
    {""}
    {"["}{ $more } lines more in the file]

## The buttons: yes and no.

review-approve = Approve
review-deny = Deny

## The notice to the presser.

review-pressed-approve = Approved.
review-pressed-deny = Nothing changes.

## What the card reads when the skill is no longer what was approved.

review-changed-since =
    ⚠️ `{ $name }`: approved as shown, but it has been changed since: not loaded.
    Look at it again with `/skills approve { $name }`.

## What the card reads when it is over, or what is said where there is none.

review-ended-denied = 🚫 { $name }: denied.
review-ended-expired = ⌛ { $name }: not answered in time.
review-ended-approved-placed = ✅ { $name }: approved, and put in place …
review-ended-install = ✅ { $name } is installed.
review-ended-pin = ✅ { $name } is loaded as it was shown.
review-ended-remove = { $name } is not loaded any more.
