import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Secrets on all the ways on which programs get and hold them. None of them stands in the source as a whole. */
public class Vault {
    /** A secret that can be told from all others, made of two parts. */
    static String made(String which) {
        StringBuilder password = new StringBuilder();
        password.append("s3cr3t-").append(which);
        return password.toString();
    }

    static class Account {
        final String user;
        String password;
        char[] passphrase;
        byte[] apiKey;

        Account(String user, String given) {
            this.user = user;
            this.password = given;
            this.passphrase = given.toCharArray();
            this.apiKey = given.getBytes(StandardCharsets.UTF_8);
        }

        boolean matches(String candidate) {
            return candidate.equals(password);
        }

        int strength() {
            int strength = 0;
            for (char c : passphrase) {
                strength += c;
            }
            for (byte b : apiKey) {
                strength += b;
            }
            for (int i = 0; i < password.length(); i++) {
                strength ^= password.charAt(i);
            }
            return strength;
        }

        @Override
        public String toString() {
            return user + ":" + password;
        }
    }

    static int length(String anything) {
        return anything.length();
    }

    static boolean login(String user, String password, Map<String, String> settings) {
        settings.put("db.password", password);
        return settings.get("db.password").length() == password.length();
    }

    static String literal() {
        String secret = "l1teral-v4lue";
        return secret;
    }

    static int total(List<Integer> numbers) {
        int total = 0;
        for (int number : numbers) {
            total += number;
        }
        return total;
    }

    public static void main(String[] args) {
        Account account = new Account("bob", made("field"));
        System.out.println(account.matches("nothing") + " " + account.strength());
        System.out.println(account.toString().length());

        String plain = args[0];
        System.out.println(length(plain));
        System.out.println(login("bob", plain, new HashMap<>()));

        String fromProperty = System.getProperty("vault.token");
        System.out.println(length(fromProperty));
        char[] copy = made("copy").toCharArray();
        char[] password = copy;
        System.out.println(password.length + new String(password).length());
        System.out.println(length(literal()));

        List<Integer> numbers = new ArrayList<>();
        numbers.add(20);
        numbers.add(22);
        System.out.println(total(numbers));
        try {
            throw new IllegalStateException("cannot use " + account.password);
        } catch (IllegalStateException e) {
            System.out.println("caught");
        }
    }
}
