package dev.askance.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/** A process that a person talks to. */
public final class Process {
    private Process() {}

    /** Runs it with the terminal that this process has, and gives its exit code. */
    public static int run(Path folder, String... command) throws IOException {
        return waitFor(new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start());
    }

    public static int run(Path folder, List<String> command) throws IOException {
        return run(folder, command.toArray(new String[0]));
    }

    /**
     * The same where this process has no terminal, and what is typed and shown goes through its standard streams, as in
     * a daemon of Gradle's.
     */
    public static int runThroughStreams(Path folder, List<String> command) throws IOException {
        java.lang.Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
        Thread typed = copy(System.in, process.getOutputStream(), true);
        Thread[] shown = {
            copy(process.getInputStream(), System.out, false), copy(process.getErrorStream(), System.err, false)
        };
        int exit = waitFor(process);
        for (Thread each : shown) {
            join(each);
        }
        typed.interrupt();
        return exit;
    }

    private static Thread copy(InputStream from, OutputStream to, boolean closes) {
        Thread thread = new Thread(() -> {
            byte[] buffer = new byte[4096];
            try {
                for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                    to.write(buffer, 0, count);
                    to.flush();
                }
                if (closes) {
                    to.close();
                }
            } catch (IOException ended) {
                // The process has ended, and nobody reads any more.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static int waitFor(java.lang.Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
