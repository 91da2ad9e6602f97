-- of each variable and each value that it ever held the first write of that value
SELECT run, object, owner, field, "index", new, time, node, class, method
FROM (
    SELECT *, row_number() OVER (PARTITION BY run, object, owner, field, "index", new ORDER BY time) AS turn
    FROM write
)
WHERE turn = 1
