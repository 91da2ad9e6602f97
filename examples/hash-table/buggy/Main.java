/** A small telephone book on a hash table with open addressing. */
public class Main {
    public static void main(String[] args) {
        HashTable book = new HashTable(11);
        book.put("Ada", 1815);
        book.put("Alan", 1912);
        book.put("Grace", 1906);
        book.put("Edsger", 1930);
        book.put("Barbara", 1939);
        book.put("Donald", 1938);
        book.put("Tony", 1934);
        System.out.println(lookUp(book));

        book.put("Alan", 1954);
        book.remove("Ada");
        book.remove("Grace");
        System.out.println(lookUp(book));

        book.put("Niklaus", 1934);
        System.out.println(lookUp(book) + " " + book.size());
    }

    static String lookUp(HashTable book) {
        String[] names = {"Ada", "Alan", "Grace", "Edsger", "Barbara", "Donald", "Tony", "Niklaus"};
        StringBuilder line = new StringBuilder();
        for (String name : names) {
            line.append(name).append('=').append(book.get(name)).append(' ');
        }
        return line.toString().trim();
    }
}
