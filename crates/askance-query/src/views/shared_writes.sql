-- fields and statics that several threads wrote; which locks they held is not recorded
SELECT run, object, owner, field, count(DISTINCT thread) AS threads, count(*) AS writes
FROM write
WHERE field IS NOT NULL
GROUP BY run, object, owner, field
HAVING count(DISTINCT thread) > 1
