import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

/** Library code changes large arrays, over and over; what they hold then is looked at. */
public class Main {
    static final int LARGE = 1 << 18;

    static byte at(byte[] array, int index) {
        return array[index];
    }

    static int at(int[] array, int index) {
        return array[index];
    }

    static String at(String[] array, int index) {
        return array[index];
    }

    static char at(char[] array, int index) {
        return array[index];
    }

    static void look(byte[] array, int round) {
        for (int index = round; index < array.length; index += array.length / 7) {
            at(array, index);
        }
        at(array, array.length - 1);
    }

    static void look(int[] array, int round) {
        for (int index = round; index < array.length; index += array.length / 7) {
            at(array, index);
        }
    }

    public static void main(String[] args) throws IOException {
        Random random = new Random(7);
        byte[] noise = new byte[LARGE];
        random.nextBytes(noise);
        int[] numbers = random.ints(LARGE / 4).toArray();
        String[] names = new String[1000];
        Arrays.setAll(names, index -> "name " + index % 100);
        byte[] target = new byte[LARGE];
        char[] text = new char[4000];
        StringBuilder builder = new StringBuilder("builder");
        int rounds = Integer.parseInt(args[0]);
        for (int round = 1; round <= rounds; round++) {
            look(noise.clone(), round);
            look(Arrays.copyOfRange(noise, round, LARGE - round), round);
            System.arraycopy(noise, 0, noise, 3, LARGE - 3);
            look(noise, round);
            System.arraycopy(noise, round, target, 2 * round, LARGE / 2);
            look(target, round);
            noise[round] = (byte) round;
            System.arraycopy(noise, 5, noise, 0, LARGE - 5);
            look(noise, round);
            new ByteArrayInputStream(noise).read(target, 100, LARGE / 2);
            look(target, round);
            Arrays.fill(target, LARGE / 4, LARGE, (byte) round);
            look(target, round);
            Arrays.sort(numbers);
            look(numbers, round);
            int[] copy = numbers.clone();
            copy[round] = round;
            System.arraycopy(copy, 0, numbers, 1, 1000);
            look(numbers, round);
            // Little of a large array is written, so little is told.
            for (int word = 0; word < 400; word++) {
                String name = names[word % 90];
                name.getChars(1, name.length(), text, 8 * word + round);
                at(text, 8 * word + round);
                builder.getChars(2, 5, text, 3500);
                at(text, 3502);
            }
            String[] others = Arrays.copyOf(names, 900);
            Arrays.sort(others);
            at(others, 17 * round % 900);
        }
    }
}
