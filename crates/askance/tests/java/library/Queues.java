import java.util.*;
import java.util.concurrent.*;

final class Queues {
    static void run(Random random, int rounds) {
        List<Queue<Integer>> all = Arrays.asList(
                new ArrayDeque<>(3), new LinkedList<>(), new PriorityQueue<>(), new ConcurrentLinkedQueue<>(),
                new ConcurrentLinkedDeque<>(), new LinkedBlockingQueue<>(), new LinkedBlockingDeque<>(),
                new ArrayBlockingQueue<>(200), new PriorityBlockingQueue<>(), Collections.asLifoQueue(new ArrayDeque<>()));
        for (Queue<Integer> queue : all) {
            String label = queue.getClass().getSimpleName();
            Check.point(label, queue);
            for (int i = 0; i < rounds; i++) {
                change(queue, random);
                Check.point(label, queue);
            }
        }
    }

    private static void change(Queue<Integer> queue, Random random) {
        int n = random.nextInt(100);
        switch (random.nextInt(12)) {
            case 0:
            case 1:
                queue.poll();
                break;
            case 2:
                queue.removeIf(each -> each % 4 == n % 4);
                break;
            case 3:
                for (Iterator<Integer> i = queue.iterator(); i.hasNext(); ) {
                    if (i.next() % 3 == 0) {
                        i.remove();
                    }
                }
                break;
            case 4:
                queue.addAll(Arrays.asList(n, n + 1, n + 2));
                break;
            case 5:
                if (queue instanceof Deque) {
                    ((Deque<Integer>) queue).addFirst(n);
                }
                break;
            case 6:
                if (queue instanceof Deque) {
                    ((Deque<Integer>) queue).pollLast();
                }
                break;
            case 7:
                queue.remove(n);
                break;
            case 8:
                if (queue.size() > 20) {
                    queue.clear();
                }
                break;
            default:
                queue.add(n);
        }
    }
}
