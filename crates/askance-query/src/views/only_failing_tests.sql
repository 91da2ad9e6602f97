-- methods that failing tests ran and passing tests did not
SELECT run, class, method, file, line, failing_tests, calls
FROM method
WHERE failing_tests > 0 AND passing_tests = 0
