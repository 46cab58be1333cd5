#!/usr/bin/env python3
"""Prints a profile of a CSV file: per column its kind, what is missing, range and common values.

Usage: python3 profile.py FILE [DELIMITER]
Needs nothing but Python 3.8. Reads the file once and keeps at most 10,000 distinct values a column.
"""
import collections
import csv
import datetime
import sys

KEPT = 10_000
MISSING = {"", "na", "n/a", "null", "none", "nan", "-", "?"}


def kind(value):
    """Returns what a value looks like, and something that can be compared."""
    try:
        return "number", float(value)
    except ValueError:
        pass
    for form in ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%d.%m.%Y", "%m/%d/%Y"):
        try:
            return "date", datetime.datetime.strptime(value[:19], form)
        except ValueError:
            pass
    return "text", value


class Column:
    def __init__(self, name):
        self.name = name
        self.missing = 0
        self.spaces = 0
        self.kinds = collections.Counter()
        self.low = {}
        self.high = {}
        self.values = collections.Counter()
        self.overflow = False

    def add(self, raw):
        value = raw.strip()
        self.spaces += value != raw
        if value.lower() in MISSING:
            self.missing += 1
            return
        name, comparable = kind(value)
        self.kinds[name] += 1
        self.low[name] = min(self.low.get(name, comparable), comparable)
        self.high[name] = max(self.high.get(name, comparable), comparable)
        if value in self.values or len(self.values) < KEPT:
            self.values[value] += 1
        else:
            self.overflow = True

    def show(self):
        kinds = ", ".join(f"{name} {count}" for name, count in self.kinds.most_common())
        distinct = f"{len(self.values)}{'+' if self.overflow else ''}"
        print(f"{self.name}: {kinds or 'empty'}; missing {self.missing}; distinct {distinct}")
        for name in ("number", "date"):
            if name in self.low:
                print(f"    {name}s from {self.low[name]} to {self.high[name]}")
        if self.spaces:
            print(f"    {self.spaces} values with spaces around them")
        common = [f"{value!r} x{count}" for value, count in self.values.most_common(3) if count > 1]
        if common:
            print("    most common: " + ", ".join(common))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], newline="", encoding="utf-8-sig", errors="replace") as file:
        sample = file.read(65536)
        file.seek(0)
        if len(sys.argv) == 3:
            reader = csv.reader(file, delimiter=sys.argv[2])
        else:
            try:
                reader = csv.reader(file, csv.Sniffer().sniff(sample, ",;\t|"))
            except csv.Error:
                reader = csv.reader(file)
        header = next(reader, None)
        if header is None:
            sys.exit("the file is empty")
        columns = [Column(name) for name in header]
        rows, odd, seen, doubles = 0, 0, set(), 0
        for row in reader:
            rows += 1
            odd += len(row) != len(columns)
            digest = hash(tuple(row))
            doubles += digest in seen
            seen.add(digest)
            for column, value in zip(columns, row):
                column.add(value)
    print(f"{rows} rows, {len(columns)} columns; {odd} rows of another length; {doubles} repeated rows")
    for column in columns:
        column.show()


if __name__ == "__main__":
    main()
