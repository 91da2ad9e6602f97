"""Asks DuckDB about one exported table, and prints the rows as JSON with nulls left out, as our own answers are."""

import json
import sys

import duckdb

folder, table, sql = sys.argv[1:]
connection = duckdb.connect()
connection.execute(f"CREATE VIEW \"{table}\" AS SELECT * FROM read_parquet('{folder}/*/*.parquet')")
answer = connection.execute(sql)
names = [column[0] for column in answer.description]
rows = [
    {name: value for name, value in zip(names, row) if value is not None}
    for row in answer.fetchall()
]
json.dump(rows, sys.stdout)
