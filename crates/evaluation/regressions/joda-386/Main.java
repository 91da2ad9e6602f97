import org.joda.time.DateTime;
import org.joda.time.format.DateTimeFormat;

public class Main {
    public static void main(String[] args) {
        DateTime year = DateTimeFormat.forPattern("ZZZ yyyy").parseDateTime("Etc/GMT+10 2014");
        System.out.println(year);
    }
}
