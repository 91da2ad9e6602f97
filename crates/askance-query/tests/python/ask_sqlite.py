"""Asks SQLite about an exported database after checking it, and prints the rows as JSON with nulls left out."""

import json
import sqlite3
import sys

path, *questions = sys.argv[1:]
connection = sqlite3.connect(path)
[(verdict,)] = connection.execute("PRAGMA integrity_check").fetchall()
if verdict != "ok":
    sys.exit(verdict)
answers = []
for sql in questions:
    answer = connection.execute(sql)
    names = [column[0] for column in answer.description]
    rows = [
        {name: value for name, value in zip(names, row) if value is not None}
        for row in answer.fetchall()
    ]
    answers.append(rows)
json.dump(answers, sys.stdout)
