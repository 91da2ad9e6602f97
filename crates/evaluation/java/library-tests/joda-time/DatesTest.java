import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;
import org.joda.time.Days;
import org.joda.time.Duration;
import org.joda.time.Interval;
import org.joda.time.LocalDate;
import org.joda.time.LocalTime;
import org.joda.time.Months;
import org.joda.time.Period;
import org.joda.time.format.DateTimeFormat;
import org.joda.time.format.ISODateTimeFormat;
import org.joda.time.format.ISOPeriodFormat;
import org.junit.Test;

/** Dates, periods and their texts. */
public class DatesTest {
    private static final DateTime NOON = new DateTime(2024, 2, 28, 12, 30, 15, DateTimeZone.UTC);

    @Test public void addedDays() {
        assertEquals("2024-02-29", new LocalDate(2024, 2, 28).plusDays(1).toString());
        assertEquals("2023-03-01", new LocalDate(2023, 2, 28).plusDays(1).toString());
    }

    @Test public void addedMonths() {
        assertEquals("2024-02-29", new LocalDate(2024, 1, 31).plusMonths(1).toString());
        assertEquals("2022-11-30", new LocalDate(2023, 1, 31).minusMonths(2).toString());
    }

    @Test public void fields() {
        assertEquals(59, NOON.getDayOfYear());
        assertEquals(3, NOON.getDayOfWeek());
        assertEquals(9, NOON.getWeekOfWeekyear());
        assertEquals(45015, NOON.getSecondOfDay());
    }

    @Test public void leapYears() {
        assertTrue(new LocalDate(2000, 1, 1).year().isLeap());
        assertFalse(new LocalDate(1900, 1, 1).year().isLeap());
    }

    @Test public void between() {
        assertEquals(366, Days.daysBetween(new LocalDate(2024, 1, 1), new LocalDate(2025, 1, 1)).getDays());
        assertEquals(11, Months.monthsBetween(new LocalDate(2024, 1, 15), new LocalDate(2025, 1, 14)).getMonths());
    }

    @Test public void intervals() {
        Interval hour = new Interval(NOON, NOON.plusHours(1));
        assertTrue(hour.contains(NOON));
        assertFalse(hour.contains(NOON.plusHours(1)));
        Interval next = new Interval(NOON.plusMinutes(30), NOON.plusHours(2));
        assertEquals(Duration.standardMinutes(30), hour.overlap(next).toDuration());
        assertTrue(hour.overlaps(next));
    }

    @Test public void periods() {
        assertEquals("P1Y2M3DT4H5M6S", new Period(1, 2, 0, 3, 4, 5, 6, 0).toString());
        Period parsed = ISOPeriodFormat.standard().parsePeriod("P1W2DT3H");
        assertEquals(1, parsed.getWeeks());
        assertEquals(3, parsed.getHours());
        assertEquals("P1DT1H", new Period(NOON, NOON.plusHours(25)).toString());
    }

    @Test public void printed() {
        assertEquals("28.02.24 12:30", DateTimeFormat.forPattern("dd.MM.yy HH:mm").print(NOON));
        assertEquals("2024-02-28T12:30:15.000Z", ISODateTimeFormat.dateTime().print(NOON));
        assertEquals("2024-W09-3", ISODateTimeFormat.weekDate().print(NOON));
    }

    @Test public void parsed() {
        DateTime parsed = DateTimeFormat.forPattern("yyyy/M/d H:m").withZoneUTC().parseDateTime("2024/2/9 7:05");
        assertEquals(new DateTime(2024, 2, 9, 7, 5, DateTimeZone.UTC), parsed);
    }

    @Test public void times() {
        assertEquals("00:15:00.000", new LocalTime(23, 45).plusMinutes(30).toString());
        assertTrue(new LocalTime(9, 0).isBefore(new LocalTime(9, 1)));
    }

    @Test public void rounded() {
        assertEquals(13, NOON.hourOfDay().roundHalfCeilingCopy().getHourOfDay());
        assertEquals(12, NOON.hourOfDay().roundFloorCopy().getHourOfDay());
        assertEquals("2024-02-29", NOON.dayOfMonth().withMaximumValue().toLocalDate().toString());
    }
}
