import java.math.BigDecimal;
import java.math.BigInteger;
import java.io.File;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.time.*;
import java.util.*;
import java.util.regex.Pattern;

/** Objects that stay as they are made. */
final class Fixed {
    static void run(Random random) {
        Newer.collections(random);
        Check.point("SimpleEntry", new AbstractMap.SimpleEntry<>("k", 5));
        Check.point("nCopies", Collections.nCopies(4, "again"));
        Check.point("singleton", Collections.singleton(7));
        Check.point("singletonList", Collections.singletonList(null));
        Check.point("singletonMap", Collections.singletonMap("k", 1.5));
        Check.point("emptyList", Collections.emptyList());
        Check.point("emptyMap", Collections.emptyMap());
        Check.point("emptySet", Collections.emptySet());
        Check.point("Optional", Optional.of("here"));
        Check.point("Optional", Optional.empty());
        Check.point("OptionalInt", OptionalInt.of(random.nextInt()));
        Check.point("OptionalInt", OptionalInt.empty());
        Check.point("OptionalLong", OptionalLong.of(random.nextLong()));
        Check.point("OptionalDouble", OptionalDouble.of(0.25));
        List<?> nested = Arrays.asList(Arrays.asList(1, 2), Optional.of(Collections.singleton('c')), new BitSet());
        Check.point("nested", nested);
        for (int i = 0; i < 20; i++) {
            BigInteger big = new BigInteger(1 + random.nextInt(200), random);
            Check.point("BigInteger", i % 2 == 0 ? big : big.negate());
            Check.point("BigDecimal", new BigDecimal(big, random.nextInt(40) - 10));
            Check.point("BigDecimal", BigDecimal.valueOf(random.nextInt(), random.nextInt(12) - 2));
            Check.point("UUID", new UUID(random.nextLong(), random.nextLong()));
        }
        for (int i = 0; i < 20; i++) {
            times(random);
        }
        names();
        moments(random);
        Check.point("boxes", Arrays.asList(1, 2L, 'c', true, (byte) 3, (short) 4, 1.5f, 2.5));
    }

    private static void times(Random random) {
        LocalDate date = LocalDate.ofEpochDay(random.nextInt(8_000_000) - 3_000_000);
        int nano = new int[] {0, 5_000_000, 7_000, 123_456_789}[random.nextInt(4)];
        LocalTime time = LocalTime.of(random.nextInt(24), random.nextInt(60), random.nextInt(3), nano);
        ZoneOffset offset = ZoneOffset.ofTotalSeconds(random.nextInt(36_000) - 18_000);
        LocalDateTime both = date.atTime(time);
        Check.point("LocalDate", date);
        Check.point("LocalTime", time);
        Check.point("LocalDateTime", both);
        Check.point("ZoneOffset", offset);
        Check.point("OffsetTime", time.atOffset(offset));
        Check.point("OffsetDateTime", both.atOffset(offset));
        Check.point("ZonedDateTime", both.atZone(offset));
        Check.point("ZonedDateTime", both.atZone(ZoneId.of("Europe/Zurich")));
        Check.point("Instant", both.toInstant(offset));
        Check.point("Duration", Duration.ofSeconds(random.nextInt(200_000) - 100_000, nano));
        Check.point("Period", Period.of(random.nextInt(3), random.nextInt(3) - 1, random.nextInt(40)));
        Check.point("Year", Year.of(date.getYear()));
        Check.point("YearMonth", YearMonth.from(date));
        Check.point("MonthDay", MonthDay.from(date));
        Check.point("in a map", Collections.singletonMap(date, Arrays.asList(time, offset)));
    }

    /// They change, and are told as the moments that they stand for.
    @SuppressWarnings("deprecation")
    private static void moments(Random random) {
        Date date = new Date(random.nextInt() * 1000L);
        Calendar calendar = new GregorianCalendar(2024, Calendar.FEBRUARY, 28, 12, 30);
        for (int i = 0; i < 20; i++) {
            switch (random.nextInt(4)) {
                case 0: date.setTime(random.nextLong() >> 20); break;
                case 1: date.setMonth(random.nextInt(14)); break;
                case 2: calendar.setTime(date); break;
                default: calendar.add(Calendar.DAY_OF_MONTH, random.nextInt(60)); break;
            }
            Check.point("Date", date, date.toInstant().toString());
            Check.point("Calendar", calendar, calendar.toInstant().toString());
        }
        Check.point("Date", new Date(0), "1970-01-01T00:00:00Z");
    }

    private static void names() {
        Check.point("Duration", Duration.ZERO);
        Check.point("Period", Period.ZERO);
        Check.point("UTC", ZoneOffset.UTC);
        Check.point("ZoneId", ZoneId.of("Asia/Kolkata"));
        Check.point("File", new File("some/file.txt"));
        Check.point("Path", Paths.get("some", "file.txt"));
        Check.point("Path", Paths.get(""));
        Check.point("URI", URI.create("http://host:8080/a/b?c=d#e"));
        Check.point("URI", URI.create("mailto:a@b.c"));
        Check.point("URI", URI.create("http://host/a/").resolve("b?c#d"));
        try {
            Check.point("URI", new URI("http", "user", "host", 80, "/p q", "x=y", "f"));
            Check.point("URI", new URI("news", "comp.lang", null));
            Check.point("URL", URI.create("https://host/a?b#c").toURL());
            Check.point("URL", new File("/tmp/x").toURI().toURL());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        for (Charset charset : Arrays.asList(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, Charset.forName("IBM437"))) {
            Check.point("Charset", charset);
        }
        Check.point("Currency", Currency.getInstance("CHF"));
        for (String tag : Arrays.asList("de-CH", "en", "zh-Hant-TW", "und", "de-DE-1996", "no")) {
            Check.point("Locale", Locale.forLanguageTag(tag));
        }
        Check.point("Pattern", Pattern.compile("(\\d+)\\s*\"x\""));
    }
}
