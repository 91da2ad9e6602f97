import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

/** Counts what is in archives, of which one is empty and was cut off. */
public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(count(archive("a.txt", "b.txt")));
        byte[] empty = archive();
        System.out.println(count(Arrays.copyOf(empty, empty.length - 1)));
    }

    private static byte[] archive(String... names) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipArchiveOutputStream archive = new ZipArchiveOutputStream(bytes)) {
            for (String name : names) {
                ZipArchiveEntry entry = new ZipArchiveEntry(name);
                entry.setTime(0);
                archive.putArchiveEntry(entry);
                archive.write(name.getBytes());
                archive.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static int count(byte[] bytes) throws Exception {
        int count = 0;
        try (ZipArchiveInputStream archive = new ZipArchiveInputStream(new ByteArrayInputStream(bytes))) {
            while (archive.getNextZipEntry() != null) {
                count++;
            }
        }
        return count;
    }
}
