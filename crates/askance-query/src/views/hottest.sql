-- how often each method was called, and the calls below the largest of its calls
SELECT run, class, method, count(*) AS calls, max(size) AS largest
FROM call
GROUP BY run, class, method
