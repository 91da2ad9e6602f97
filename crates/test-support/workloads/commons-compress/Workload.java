import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/** Packs files into an archive, compresses it in several ways, and unpacks it again. */
public class Workload {
    private static final String[] WAYS = {
        CompressorStreamFactory.BZIP2, CompressorStreamFactory.LZ4_BLOCK, CompressorStreamFactory.LZ4_FRAMED,
        CompressorStreamFactory.SNAPPY_FRAMED,
    };

    public static void main(String[] args) throws IOException, CompressorException {
        int scale = Integer.parseInt(args[0]);
        CompressorStreamFactory factory = new CompressorStreamFactory();
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            byte[] archive = archive(8, round);
            for (String way : WAYS) {
                ByteArrayOutputStream compressed = new ByteArrayOutputStream();
                try (OutputStream stream = factory.createCompressorOutputStream(way, compressed)) {
                    stream.write(archive);
                }
                byte[] bytes = compressed.toByteArray();
                checksum = checksum * 31 + Arrays.hashCode(bytes);
                try (InputStream stream = factory.createCompressorInputStream(way, new ByteArrayInputStream(bytes))) {
                    byte[] again = stream.readAllBytes();
                    checksum = checksum * 31 + (Arrays.equals(again, archive) ? 1 : 0) + unpacked(again);
                }
            }
        }
        System.out.println("checksum " + checksum);
        try {
            factory.createCompressorInputStream(CompressorStreamFactory.BZIP2, new ByteArrayInputStream(new byte[20]));
        } catch (CompressorException e) {
            System.out.println("expected: " + e.getCause().getMessage());
        }
    }

    private static byte[] archive(int files, int seed) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            for (int i = 0; i < files; i++) {
                byte[] content = content(i, seed).getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry entry = new TarArchiveEntry("folder/file" + i + ".txt");
                entry.setSize(content.length);
                entry.setModTime(1_000_000_000_000L);
                tar.putArchiveEntry(entry);
                tar.write(content);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static String content(int file, int seed) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            text.append("line ").append(i * file % 7).append(" of ").append(seed).append('\n');
        }
        return text.toString();
    }

    private static long unpacked(byte[] archive) throws IOException {
        long hash = 0;
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new ByteArrayInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                hash = hash * 31 + entry.getName().hashCode() + Arrays.hashCode(tar.readAllBytes());
            }
        }
        return hash;
    }
}
