### Why a call may not run. In English the model reads these too, so they say what it can do instead.
refusals-changes-nothing = the autonomy level is `{ $level }`: nothing may be changed or executed. Answer from what can be read, or say that the level must be raised with `/autonomy`
# $reason: why the command is more than reading, without a period.
refusals-only-reads = the autonomy level is `{ $level }`: only commands run that provably only read in the workspace, and this one does not: { $reason }. Answer from what can be read, or say that the level must be raised with `/autonomy`
refusals-forbidden = it is forbidden: { $reason }. Nobody can approve it; do not try it in other words
refusals-not-confined = `policy.sandbox` is `require`, and this machine cannot confine commands. No command runs until the operator has looked at `sayso doctor`; files can be read and written with the file tools
refusals-partly-confined = `policy.sandbox` is `require`, and this machine confines commands only in part. No command runs until the operator has looked at `sayso doctor`; files can be read and written with the file tools
refusals-reaches-the-system = at the level `full` nobody is asked, and nothing runs unconfined: { $reason }. Stay in the workspace and call it without `access`, or say that the level must be lowered to `supervised`, where a person can approve it
refusals-network-is-off = it needs the network, and `policy.allow_network` is `false`: { $reason }. Do it without the network, or say that the operator can allow it
refusals-chat-only = the person may only chat with you, and no tool runs for them. Answer without tools; if they need one, say that an owner can let them in fully
refusals-owners-alone = only an owner may change the configuration
refusals-outside-the-workspace = `{ $path }` is outside the workspace, and tools are confined to it
refusals-not-plain-commands = without asking, only plain commands of `policy.allow_commands` are run: no expansions, globs, variables, groups, loops or background, and no redirections out of the workspace
refusals-no-list = `{ $program }` is not allowed: `policy.allow_commands` is empty
refusals-not-on-the-list = `{ $program }` is not in `policy.allow_commands`, which has { $allowed }
refusals-hides-what-it-runs = `{ $program }` starts other programs, which `policy.allow_commands` cannot judge. Call the program itself
## Secrets of the configuration.
refusals-no-secrets = there is no secret `{ $name }`: none is configured
refusals-unknown-secret = there is no secret `{ $name }`; there are `{ $known }`
# Leaves out $server: no host would do.
refusals-secret-without-hosts = the secret `{ $name }` is sent to no host: `secrets.{ $name }.hosts` is empty
refusals-secret-other-host = the secret `{ $name }` is not sent to `{ $server }`: `secrets.{ $name }.hosts` has `{ $hosts }`, to which it goes over `https`, or over `http` where a port is named
refusals-secret-over-http = the secret `{ $name }` is not sent to `{ $server }` over plain `http`: `secrets.{ $name }.hosts` has `{ $hosts }`, to which it goes over `https`, or over `http` where a port is named
refusals-secret-without-commands = the secret `{ $name }` is not given to `{ $program }`: every program of the call must be in `secrets.{ $name }.commands`, which is empty
refusals-secret-other-program = the secret `{ $name }` is not given to `{ $program }`: every program of the call must be in `secrets.{ $name }.commands`, which has `{ $commands }`
refusals-secret-plain-commands = the secret `{ $name }` is given to plain commands only: no expansions, globs, groups, loops, background or redirections to files, and its variable for nothing but setting another one before a program (`GH_TOKEN="${ $variable }" gh ...`)
## Tools of MCP servers, and hosts.
refusals-mcp-denied = `{ $tool }` is on the list `deny` of the MCP server `{ $server }`: nobody can approve it
refusals-mcp-not-listed = `{ $tool }` is not on the list `allow` of the MCP server `{ $server }`, and at the level `full` nobody is asked
refusals-host-denied = `{ $host }` is on `policy.deny_hosts`: it is never asked for anything
refusals-host-not-listed = `{ $server }` is not on `policy.allow_hosts`, and at the level `full` nobody is asked
refusals-port-not-open = `{ $server }`: only the ports 80 and 443 are open, unless a rule such as `policy.allow_hosts` names host and port
## People who are no owners.
refusals-member-system = it reaches past the workspace of this user, who does not own this Sayso, and `policy.members_system` is `deny`. Stay in the workspace and call it without more `access`, or say that the operator does not allow it
refusals-member-network = it uses the network, this user does not own this Sayso, and `policy.members_network` is `deny`. Use `http_request`, or say that the operator does not allow it
