import org.apache.commons.lang3.text.WordUtils;

public class Main {
    public static void main(String[] args) {
        String text = "Click here to jump to http://localhost/some/page now";
        System.out.println(WordUtils.wrap(text, 20, "\n", true));
    }
}
