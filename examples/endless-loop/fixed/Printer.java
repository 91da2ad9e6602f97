import java.util.ArrayDeque;
import java.util.Deque;

/** Prints one job after the other, on one or on both sides of the paper. */
class Printer {
    private final Deque<Job> queue = new ArrayDeque<>();
    private int sheets;

    void submit(Job job) {
        queue.addLast(job);
    }

    boolean isIdle() {
        return queue.isEmpty();
    }

    int sheets() {
        return sheets;
    }

    /** Prints the next sheet of the first job; returns the job if that was its last one. */
    Job printSheet() {
        Job job = queue.peekFirst();
        int pages = pagesOnNextSheet(job);
        if (pages > 0) {
            job.pagesLeft -= pages;
            job.sheets++;
            sheets++;
        }
        if (!job.isFinished()) {
            return null;
        }
        return queue.removeFirst();
    }

    /** How many pages go on the next sheet; the last one may be printed on one side only. */
    private static int pagesOnNextSheet(Job job) {
        if (job.pagesLeft < job.pagesPerSheet) {
            return job.pagesLeft;
        }
        return job.pagesPerSheet;
    }
}
