import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.PosixParser;

public class Main {
    public static void main(String[] args) throws Exception {
        Options options = new Options();
        options.addOption("p", "prefix", true, "what comes first");
        options.addOption("q", "prefix-length", true, "how long it is");
        String[] given = {"--prefix", "ab", "--prefix-length", "2"};
        CommandLine line = new PosixParser().parse(options, given);
        System.out.println(line.getOptionValue("prefix") + " " + line.getOptionValue("prefix-length"));
    }
}
