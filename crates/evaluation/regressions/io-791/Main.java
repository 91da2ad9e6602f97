import java.io.File;
import org.apache.commons.io.FileUtils;

public class Main {
    public static void main(String[] args) throws Exception {
        File folder = new File(System.getProperty("java.io.tmpdir"), "askance-touch-test");
        FileUtils.deleteDirectory(folder);
        File file = new File(folder, "new/dir/file.txt");
        try {
            FileUtils.touch(file);
            System.out.println("touched " + file.exists());
        } finally {
            FileUtils.deleteDirectory(folder);
        }
    }
}
