import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that share a fixed amount of work, as the clients of a server do. */
class Clients {
    /** One piece of the work; the pieces' results are summed up, so that their order does not matter. */
    interface Piece {
        long work(int index) throws Exception;
    }

    /** The sum over all pieces, the same with any number of threads. */
    static long share(int threads, int pieces, Piece piece) throws Exception {
        AtomicLong sum = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] clients = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int first = t;
            clients[t] = new Thread(() -> {
                try {
                    for (int index = first; index < pieces; index += threads) {
                        sum.addAndGet(piece.work(index));
                    }
                } catch (Throwable problem) {
                    failure.set(problem);
                }
            }, "client-" + t);
            clients[t].start();
        }
        for (Thread client : clients) {
            client.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
        return sum.get();
    }

    /** The number of threads that was asked for, four if none was. */
    static int threads(String[] args) {
        return args.length > 1 ? Integer.parseInt(args[1]) : 4;
    }

    /** What a server of this machine answers, whatever the status is. */
    static String get(int port, String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL("http://127.0.0.1:" + port + path).openConnection();
        int status = connection.getResponseCode();
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return status + " " + (body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
