/** Thousands of threads that live shortly, a few at a time. */
class Main {
    static int work(int n) {
        return n == 0 ? 0 : work(n - 1) + 1;
    }

    public static void main(String[] arguments) throws Exception {
        int sum = 0;
        for (int round = 0; round < Integer.parseInt(arguments[0]); round++) {
            Thread[] threads = new Thread[4];
            int[] results = new int[threads.length];
            for (int i = 0; i < threads.length; i++) {
                int n = i;
                threads[i] = new Thread(() -> results[n] = work(n + 5));
                threads[i].start();
            }
            for (int i = 0; i < threads.length; i++) {
                threads[i].join();
                sum += results[i];
            }
        }
        System.out.println(sum);
    }
}
