import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

public class Main {
    static class Mix {
        @ArgGroup(exclusive = false, validate = false, heading = "Common%n")
        Group group = new Group();
    }

    static class Group {
        @Option(names = "--host", description = "the host")
        String host;

        @Option(names = "--port", description = "the port")
        int port;
    }

    @Command(name = "app")
    static class App {
        @Mixin
        Mix mix;

        @Option(names = "-v", description = "talk")
        boolean verbose;
    }

    public static void main(String[] args) {
        System.out.println(new CommandLine(new App()).getUsageMessage(Help.Ansi.OFF));
    }
}
