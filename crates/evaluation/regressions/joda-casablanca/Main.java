import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;

public class Main {
    public static void main(String[] args) {
        DateTime noon = new DateTime(2019, 6, 1, 12, 0, DateTimeZone.UTC);
        System.out.println(noon.withZone(DateTimeZone.forID("Africa/Casablanca")).toString("HH:mm"));
    }
}
