### What is wrong with an audit, for the owner at the terminal.

## What is wrong with an audit.

audit-row-missing = entry { $seq } is missing from the database
audit-row-changed = entry { $seq } of the database was changed, or the entry before it
audit-payload-changed = what entry { $seq } is about was changed in the database
audit-line-unreadable = line { $line } is no entry of an audit
audit-line-changed = line { $line } was changed: the database has another entry { $line }
audit-line-misplaced = line { $line } is entry { $found }: entry { $line } was cut out or moved, or a line was added
audit-file-ends = the file ends at line { $line }, but the database has { $head } entries: its end was cut off, or Sayso was killed before it wrote them (the next start adds them)
audit-table-ends = the database ends at entry { $head }, but the file goes on: entries were deleted, or an older backup was restored
audit-head-gone = entry { $seq } is not the one that you noted: the audit was cut off or rewritten
