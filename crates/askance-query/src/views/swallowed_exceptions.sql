-- exceptions that a call caught and that then left neither it nor a call around it
SELECT caught.run, caught.node, caught.class, caught.method, caught.exception, caught.message, caught.time
FROM throw AS caught
JOIN call ON call.run = caught.run AND call.node = caught.node
LEFT ANTI JOIN throw AS later
    ON later.run = caught.run
    AND later.exception_object = caught.exception_object
    AND later.event = 'left'
    AND later.time > caught.time
WHERE caught.event = 'caught' AND call.outcome = 'returned'
