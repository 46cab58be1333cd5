### What is asked back about a time, as sentences without their period.

# $what is what its reader says, in English.
when-bad-cron = These are not five fields of cron: { $what }
when-unknown-zone = There is no time zone `{ $name }`; write one as `Europe/Berlin`
when-vague = When exactly?
when-event = I do not know when that is. At what time?
when-holiday = I do not know the date of that holiday. On which date?
when-no-such-day = There is no such day
when-no-such-time = There is no such time of the day
when-several-readings = Which of these is meant?
when-span-for-moment = On which day, and at what time?
when-part-of-matter = When shall I remind you of that?
when-too-often = That is too often; once a minute is the most
when-too-far = That is too far away
when-six-fields = Cron has five fields here: minute, hour, day, month, weekday; no seconds and no year
when-never-due = That never comes
