import org.apache.logging.log4j.message.ParameterizedMessage;

/** Fills in messages, of which one has more places than there are values. */
public class Main {
    public static void main(String[] args) {
        print("{} of {} files read", 2, 3);
        print("{} of {} files read, {} left", 2, 3);
    }

    private static void print(String pattern, Object... values) {
        System.out.println(new ParameterizedMessage(pattern, values).getFormattedMessage());
    }
}
