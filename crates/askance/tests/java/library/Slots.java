import java.util.Arrays;
import java.util.Random;

/** Arrays, written by the program and by library methods. */
final class Slots {
    static void run(Random random, int rounds) {
        int[] ints = new int[20];
        byte[] bytes = new byte[16];
        char[] chars = new char[12];
        double[] doubles = new double[6];
        boolean[] flags = new boolean[5];
        String[] texts = new String[6];
        int[][] table = new int[3][4];
        for (int i = 0; i < rounds; i++) {
            int at = random.nextInt(5);
            switch (random.nextInt(9)) {
                case 0:
                    Arrays.fill(ints, at, at + 5, i);
                    Arrays.fill(flags, i % 2 == 0);
                    break;
                case 1:
                    Arrays.sort(ints);
                    Arrays.sort(doubles, 1, 4);
                    break;
                case 2:
                    System.arraycopy(ints, at, ints, at + 2, 7);
                    System.arraycopy(table[0], 0, table[at % 3], 1, 2);
                    break;
                case 3:
                    Arrays.setAll(ints, n -> n * at);
                    Arrays.setAll(texts, n -> "t" + n + at);
                    break;
                case 4:
                    random.nextBytes(bytes);
                    "characters".getChars(0, 10, chars, 1);
                    break;
                case 5:
                    table[at % 3] = Arrays.copyOf(ints, 4);
                    break;
                case 6:
                    Arrays.parallelPrefix(ints, Integer::sum);
                    break;
                default:
                    ints[at] = random.nextInt();
                    bytes[at] = (byte) random.nextInt();
                    chars[at] = (char) ('a' + at);
                    doubles[at] = random.nextInt(100) / 4.0;
                    flags[at] = !flags[at];
                    texts[at] = null;
                    table[at % 3][at % 4]++;
            }
            Check.point("int[]", ints, Arrays.toString(ints));
            Check.point("byte[]", bytes, Arrays.toString(bytes));
            Check.point("double[]", doubles, Arrays.toString(doubles));
            Check.point("boolean[]", flags, Arrays.toString(flags));
            Check.point("String[]", texts, Arrays.toString(texts));
            Check.point("int[][]", table, Arrays.deepToString(table));
        }
    }
}
