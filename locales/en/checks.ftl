### The receipt of the checks of what was changed: one line under the reply.

# $what: what was verified.
checks-passed = ✔ { $what } ({ $seconds } s)
# $tests: the names of tests that failed once and then passed.
checks-flaky = {"; flaky: "}{ $tests }
# $what: the checks that were not run.
checks-left-out = {"; not run: "}{ $what }

## What a receipt is made of.

checks-separator = {", "}
checks-part-count = { $count ->
    [one] 1 test
   *[other] { $count } tests
}
checks-part-tests = tests
checks-part-types = types
checks-part-lint = lint
checks-part-build = build
checks-part-custom = own check
checks-part-runtime = start

## A check fails.

# $tests: their names.
checks-tests-fail = ✘ { $failed } of { $all } tests fail: { $tests }
# $tests: their names.
checks-tests-fail-uncounted = ✘ tests fail: { $tests }
# $message: the first error and its place.
checks-fails = ✘ { $check }: { $message }
checks-compile = ✘ it does not compile: { $message }
checks-types = ✘ the types do not fit: { $message }
checks-lint = ✘ the linter complains: { $message }
checks-dependency = ✘ a package is missing: { $message }
checks-time-out = ✘ { $check }: not done in time, and ended
checks-environment = ✘ { $check }: could not run here: { $message }

## Behind it: why nothing more is done about it.

checks-was-there = ; it was so before the change
checks-tried = ; corrections did not help
checks-out-of-time = ; the time for checks is used up

## Nothing was checked.

checks-none-known = – not checked: no check of this project is known
# $what: the checks that were to run.
checks-not-run = – not checked: { $what } did not run

## `/check`.

# How the turn is named, like a request of the person.
checks-request = check the project
checks-no-project = I work in no project here. Choose one with /project, then say /check again.
