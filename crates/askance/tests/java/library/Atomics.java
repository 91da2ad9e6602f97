import java.util.Random;
import java.util.concurrent.atomic.*;

final class Atomics {
    static void run(Random random, int rounds) {
        AtomicInteger number = new AtomicInteger(3);
        AtomicLong wide = new AtomicLong();
        AtomicBoolean flag = new AtomicBoolean();
        AtomicReference<String> reference = new AtomicReference<>();
        AtomicIntegerArray numbers = new AtomicIntegerArray(4);
        AtomicLongArray wides = new AtomicLongArray(new long[] {1, 2, 3});
        AtomicReferenceArray<String> references = new AtomicReferenceArray<>(3);
        LongAdder adder = new LongAdder();
        for (int i = 0; i < rounds; i++) {
            int n = random.nextInt(100);
            switch (random.nextInt(8)) {
                case 0:
                    number.set(n);
                    wide.lazySet(n);
                    flag.set(n % 2 == 0);
                    reference.set("set " + n);
                    numbers.set(n % 4, n);
                    wides.lazySet(n % 3, n);
                    references.set(n % 3, "set " + n);
                    adder.reset();
                    break;
                case 1:
                    number.incrementAndGet();
                    wide.getAndDecrement();
                    flag.getAndSet(n % 3 == 0);
                    reference.getAndSet("swapped " + n);
                    numbers.incrementAndGet(n % 4);
                    wides.getAndAdd(n % 3, n);
                    references.getAndSet(n % 3, null);
                    adder.increment();
                    break;
                case 2:
                    number.compareAndSet(number.get(), n);
                    wide.compareAndSet(-1, n);
                    flag.compareAndSet(true, false);
                    reference.compareAndSet(reference.get(), "compared " + n);
                    numbers.compareAndSet(n % 4, numbers.get(n % 4), n);
                    wides.compareAndSet(n % 3, -1, 5);
                    references.compareAndSet(n % 3, references.get(n % 3), "compared " + n);
                    adder.add(-n);
                    break;
                case 3:
                    number.updateAndGet(x -> x * 3 + 1);
                    wide.accumulateAndGet(n, Long::sum);
                    reference.updateAndGet(text -> n % 2 == 0 ? null : text + "!");
                    numbers.accumulateAndGet(n % 4, n, Math::max);
                    wides.updateAndGet(n % 3, x -> -x);
                    references.getAndUpdate(n % 3, text -> text + "?");
                    adder.sumThenReset();
                    break;
                case 4:
                    number.getAndAdd(n);
                    wide.addAndGet(-n);
                    Newer.release(flag, reference);
                    adder.decrement();
                    break;
                case 5:
                    Newer.exchange(n, number, wide, flag, reference);
                    numbers.getAndDecrement(1);
                    break;
                default:
                    number.getAndIncrement();
                    wide.incrementAndGet();
                    adder.add(n);
            }
            Check.point("AtomicInteger", number);
            Check.point("AtomicLong", wide);
            Check.point("AtomicBoolean", flag);
            Check.point("AtomicReference", reference);
            Check.point("AtomicIntegerArray", numbers);
            Check.point("AtomicLongArray", wides);
            Check.point("AtomicReferenceArray", references);
            Check.point("LongAdder", adder);
        }
    }
}
