-- of each variable the write that it saw last
SELECT run, object, owner, field, "index", new, time, node, class, method
FROM (
    SELECT *, row_number() OVER (PARTITION BY run, object, owner, field, "index" ORDER BY time DESC) AS age
    FROM write
)
WHERE age = 1
