package dev.askance.launcher;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The executable of Askance: the one that is named, or that the environment names, or that is on the path. It is
 * downloaded only where a release and its sum are named.
 */
public final class Executable {
    private static final String NAME = "askance";
    private static final String VARIABLE = "ASKANCE";

    private final String configured;
    private final String release;
    private final String sum;
    private final Map<String, String> environment;

    /** What is not configured is {@code null}. */
    public Executable(String configured, String release, String sum, Map<String, String> environment) {
        this.configured = configured;
        this.release = release;
        this.sum = sum;
        this.environment = environment;
    }

    /** Its path; the exception says what to do. */
    public Path find() throws IOException {
        if (configured != null) {
            return existing(configured, "the setting names");
        }
        String named = environment.get(VARIABLE);
        if (named != null && !named.isEmpty()) {
            return existing(named, "the variable " + VARIABLE + " names");
        }
        String path = environment.get("PATH");
        for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
            Path candidate = Paths.get(folder.isEmpty() ? "." : folder, NAME);
            if (Files.isExecutable(candidate) && Files.isRegularFile(candidate)) {
                return candidate;
            }
        }
        if (release != null) {
            return downloaded();
        }
        throw new IOException("there is no executable `askance` on the PATH; install it (unpack a release, or `cargo"
                + " install --path crates/askance` in its repository), or name it by the property askance.executable"
                + " or the variable " + VARIABLE);
    }

    private static Path existing(String path, String who) throws IOException {
        Path executable = Paths.get(path);
        if (!Files.isExecutable(executable) || !Files.isRegularFile(executable)) {
            throw new IOException(who + " " + path + ", and there is no executable");
        }
        return executable.toAbsolutePath();
    }

    /** The release is an archive as `cargo xtask dist` makes it. It is kept under its sum. */
    private Path downloaded() throws IOException {
        if (sum == null || !sum.matches("[0-9a-fA-F]{64}")) {
            throw new IOException("askance.release names " + release + ", but askance.sha256 does not say its sum");
        }
        Path home = cache().resolve(sum.toLowerCase());
        if (!Files.isDirectory(home)) {
            Files.createDirectories(home.getParent());
            Path draft = Files.createTempDirectory(home.getParent(), "draft-");
            Path archive = draft.resolve("release.tar.gz");
            try (InputStream content = new URL(release).openStream()) {
                Files.copy(content, archive);
            }
            String found = sumOf(archive);
            if (!found.equalsIgnoreCase(sum)) {
                throw new IOException(release + " has the sum " + found + ", which is not the one that is expected");
            }
            int exit = Process.run(draft, "tar", "-xzf", archive.toString());
            if (exit != 0) {
                throw new IOException("tar cannot unpack " + release);
            }
            Files.delete(archive);
            try {
                Files.move(draft, home, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException another) {
                if (!Files.isDirectory(home)) {
                    throw another;
                }
            }
        }
        try (Stream<Path> files = Files.walk(home, 2)) {
            return files.filter(file -> file.endsWith(NAME) && Files.isExecutable(file) && Files.isRegularFile(file))
                    .findFirst()
                    .orElseThrow(() -> new IOException(release + " has no executable `askance` in it"));
        }
    }

    private Path cache() {
        String cache = environment.get("XDG_CACHE_HOME");
        Path base = cache == null || cache.isEmpty()
                ? Paths.get(System.getProperty("user.home"), ".cache")
                : Paths.get(cache);
        return base.resolve("askance").resolve("releases");
    }

    private static String sumOf(Path file) throws IOException {
        try {
            StringBuilder text = new StringBuilder();
            for (byte each : MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file))) {
                text.append(String.format("%02x", each));
            }
            return text.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IOException(e);
        }
    }
}
