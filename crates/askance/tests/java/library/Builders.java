import java.util.Random;

final class Builders {
    static void run(Random random, int rounds) {
        StringBuilder empty = new StringBuilder();
        Check.point("StringBuilder", empty);
        for (int run = 0; run < 4; run++) {
            StringBuilder builder = new StringBuilder(run == 1 ? "początek" : "start");
            StringBuffer buffer = new StringBuffer();
            for (int i = 0; i < rounds * 3; i++) {
                change(builder, random, run > 1);
                Check.point("StringBuilder", builder);
                change(buffer, random, run > 1);
                Check.point("StringBuffer", buffer);
            }
        }
        StringBuilder long_ = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            long_.append(i);
        }
        long_.insert(0, new String(new char[5000]).replace('\0', 'x'));
        Check.point("long StringBuilder", long_);
        new java.util.Formatter(long_).format("%d and %s", 5, "more");
        Check.point("formatted StringBuilder", long_);
        try {
            long_.insert(-1, "nothing");
        } catch (StringIndexOutOfBoundsException e) {
            Check.point("unchanged StringBuilder", long_);
        }
    }

    private static void change(StringBuilder b, Random random, boolean wide) {
        int at = b.length() == 0 ? 0 : random.nextInt(b.length());
        switch (random.nextInt(24)) {
            case 0: b.append(random.nextInt()); break;
            case 1: b.append(random.nextLong()); break;
            case 2: b.append(random.nextDouble()); break;
            case 3: b.append(random.nextFloat()); break;
            case 4: b.append(random.nextBoolean()); break;
            case 5: b.append((Object) null).append((String) null); break;
            case 6: b.append(new char[] {'a', 'b', 'c'}, 1, 2).append(new char[] {'x'}); break;
            case 7: b.append("characters", 2, 5); break;
            case 8: b.append(new StringBuffer("buffer")); break;
            case 9: b.append(new StringBuilder("b").append(5)); break;
            case 10: b.appendCodePoint(wide ? 0x1F600 : 'q'); break;
            case 11: b.insert(at, "ins").insert(at, 'c').insert(at, 7).insert(at, 2.5); break;
            case 12: b.insert(at, new char[] {'1', '2'}).insert(at, (Object) "o").insert(at, "chars", 1, 3); break;
            case 13: b.delete(at, at + random.nextInt(5)); break;
            case 14: if (b.length() > 0) { b.deleteCharAt(at); } break;
            case 15: b.replace(at, Math.min(b.length(), at + 3), "REPLACED"); break;
            case 16: b.reverse(); break;
            case 17: b.setLength(random.nextInt(60)); break;
            case 18: if (b.length() > 0) { b.setCharAt(at, wide ? '€' : 'Z'); } break;
            case 19: b.ensureCapacity(b.length() * 2); break;
            case 20: b.trimToSize(); break;
            case 21: b.append(wide ? "žluťoučký €" : "plain"); break;
            case 22: b.append('c').append(b, 0, at); break;
            default: b.append(wide ? '€' : 'e').append("text");
        }
        if (b.length() > 400) {
            b.setLength(0);
        }
    }

    private static void change(StringBuffer b, Random random, boolean wide) {
        int at = b.length() == 0 ? 0 : random.nextInt(b.length());
        switch (random.nextInt(8)) {
            case 0: b.append(random.nextInt()); break;
            case 1: b.insert(at, "ins"); break;
            case 2: b.delete(at, at + random.nextInt(5)); break;
            case 3: b.reverse(); break;
            case 4: if (b.length() > 0) { b.setCharAt(at, wide ? '€' : 'Z'); } break;
            case 5: b.setLength(random.nextInt(40)); break;
            default: b.append(wide ? "€uro" : "euro").append('c');
        }
    }
}
