-- methods by how often they were called
SELECT run, class, method, count(*) AS calls, max(size) AS largest
FROM call
GROUP BY run, class, method
ORDER BY calls DESC, class, method
