import org.apache.commons.lang3.math.NumberUtils;

public class Main {
    public static void main(String[] args) {
        for (String text : new String[] {"12", "-7", "-", "3.5"}) {
            try {
                System.out.println(text + " is " + NumberUtils.createNumber(text));
            } catch (NumberFormatException e) {
                System.out.println(text + " is no number");
            }
        }
    }
}
