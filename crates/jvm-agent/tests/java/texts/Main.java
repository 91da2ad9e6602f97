/** Takes texts apart and puts them together piece by piece, as parsers of tables and careless programs do. */
public class Main {
    private static final int NUMBERS = 1500;

    public static void main(String[] args) {
        int seen = 0;
        for (String separator : new String[] {",", "\u2192"}) {
            String text = "";
            for (int i = 0; i < NUMBERS; i++) {
                text += i * i + separator;
                seen += look(text);
            }
            while (!text.isEmpty()) {
                text = text.substring(text.indexOf(separator) + 1);
                seen += look(text);
            }
        }
        System.out.println(seen);
    }

    private static int look(String text) {
        return text.hashCode();
    }
}
