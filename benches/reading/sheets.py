"""Writes ten spreadsheets of different kinds into the directory that is named, with openpyxl."""

import datetime
import random
import sys

import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904

DIRECTORY = sys.argv[1]
DAY = datetime.timedelta(days=1)
random.seed(7)


def book(name, title):
    made = openpyxl.Workbook()
    made.active.title = title
    BOOKS.append((name, made))
    return made.active


BOOKS = []

sheet = book("01_budget", "Budget 2026")
sheet.append(["Item", "Month", "Planned", "Spent", "Share"])
for row in range(40):
    kind = random.choice(["Rent", "Food", "Travel", "Books"])
    month = datetime.date(2026, 1 + row % 12, 1)
    planned, spent = round(random.random() * 900, 2), round(random.random() * 900, 2)
    sheet.append([kind, month, planned, spent, random.random()])
    sheet.cell(row + 2, 3).number_format = "#,##0.00 €"
    sheet.cell(row + 2, 5).number_format = "0.0%"
sheet["G1"] = "=SUM(C2:C41)"

sheet = book("02_attendance", "考勤")
sheet.append(["姓名", "日期", "上班", "下班", "备注"])
for row in range(60):
    begun, ended = datetime.time(9, random.randint(0, 59)), datetime.time(18, random.randint(0, 59))
    note = "迟到\n请假" if row % 7 == 0 else None
    day = datetime.datetime(2026, 3, 1 + row % 28)
    sheet.append([random.choice(["王芳", "李强", "张伟"]), day, begun, ended, note])

sheet = book("03_times", "Times")
for row in range(20):
    length = datetime.timedelta(hours=row * 3, minutes=20)
    sheet.append([length, datetime.datetime(2024, 2, 29, 12, row, 30), 0.1 + 0.2, 1e-7 * row, 123456789012345 + row])
    sheet.cell(row + 1, 1).number_format = "[h]:mm"

sheet = book("04_since_1904", "Mac")
sheet.parent.epoch = CALENDAR_MAC_1904
for row in range(10):
    sheet.append([datetime.date(2026, 1, 1) + DAY * row, row])

sheet = book("05_many_sheets", "Index")
for region in range(6):
    other = sheet.parent.create_sheet(f"Region {region} & co")
    other.append(["Quarter", "Units"])
    for quarter in range(4):
        other.append([f"Q{quarter + 1}", random.randint(1, 999)])

sheet = book("06_sparse", "Sparse")
sheet["A1"], sheet["ZZ2000"], sheet["C5"], sheet["D5"] = "start", "far", True, "#not an error"
sheet["E5"] = "=1/0"

sheet = book("07_large", "Data")
sheet.append(["id", "name", "mail", "amount", "day"])
for row in range(20000):
    day = datetime.date(2020, 1, 1) + DAY * (row % 2000)
    sheet.append([row, f"Customer {row}", f"c{row}@example.org", random.randint(1, 100000) / 100, day])

sheet = book("08_merged", "Merged")
sheet["A1"] = "Quarterly report"
sheet.merge_cells("A1:D1")
for row in range(3, 12):
    sheet.append([f"line {row}", row, row * 1.5, row % 2 == 0])

sheet = book("09_stock", "Lager")
sheet.append(["SKU", "Beschreibung", "Bestand", "Preis"])
for row in range(300):
    name = f'Schraube M{row % 12} × {row} mm "verzinkt"'
    sheet.append([f"A-{row:04}", name, random.randint(0, 5000), random.randint(1, 999) / 100])
sheet.auto_filter.ref = "A1:D301"

sheet = book("10_plan", "Plan")
sheet.append(["Task", "Owner", "From", "To", "Done"])
for row in range(25):
    begun = datetime.date(2026, 5, 1) + DAY * row
    sheet.append([f'Task {row}: "review"\tpart', random.choice(["Ann", "Bo"]), begun, begun + 2 * DAY, row % 3 == 0])
    for column in (3, 4):
        sheet.cell(row + 2, column).number_format = "dd.mm.yyyy"

for name, made in BOOKS:
    made.save(f"{DIRECTORY}/{name}.xlsx")
