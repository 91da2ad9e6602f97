import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;

public class Main {
    public static void main(String[] args) {
        DateTime end = new DateTime(Long.MAX_VALUE, DateTimeZone.UTC);
        System.out.println(end.getYear() + " " + end.getMonthOfYear());
    }
}
