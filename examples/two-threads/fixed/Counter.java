/** The work of one thread; the fields are read after it has ended. */
class Counter implements Runnable {
    private final int from;
    private final int to;
    int count;
    int largest;

    Counter(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    public void run() {
        for (int start = from; start < to; start += 100) {
            count += countBlock(start, Math.min(start + 100, to));
        }
    }

    /** Counts the primes of one block of numbers and remembers the largest. */
    private int countBlock(int start, int end) {
        int primes = 0;
        for (int number = start; number < end; number++) {
            if (Primes.isPrime(number)) {
                primes++;
                largest = number;
            }
        }
        return primes;
    }
}
