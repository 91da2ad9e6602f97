import org.apache.commons.lang3.StringUtils;

public class Main {
    public static void main(String[] args) {
        for (int nth = 1; nth <= 4; nth++) {
            System.out.println(nth + ": " + StringUtils.ordinalIndexOf("aaaaaa", "aa", nth));
        }
    }
}
