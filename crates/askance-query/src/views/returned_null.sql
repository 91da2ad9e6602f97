-- calls that returned null
SELECT run, node, parent, class, method, line
FROM call
WHERE outcome = 'returned' AND result = 'null' AND result_object IS NULL
