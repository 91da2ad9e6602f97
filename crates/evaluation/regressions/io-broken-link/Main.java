import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.commons.io.FileUtils;

public class Main {
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("askance-link");
        File link = folder.resolve("link").toFile();
        Files.createSymbolicLink(link.toPath(), Paths.get("nothing"));
        try {
            FileUtils.forceDelete(link);
            System.out.println("left: " + folder.toFile().list().length);
        } finally {
            Files.deleteIfExists(link.toPath());
            Files.delete(folder);
        }
    }
}
