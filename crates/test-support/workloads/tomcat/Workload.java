import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.logging.LogManager;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A servlet container with a filter and a servlet, asked by several clients at the same time. */
public class Workload {
    public static void main(String[] args) throws Exception {
        LogManager.getLogManager().reset();
        int scale = Integer.parseInt(args[0]);
        int threads = Clients.threads(args);
        Path folder = Files.createTempDirectory("tomcat");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxThreads", Integer.toString(threads + 2));
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "sums", new Sums());
        context.addServletMappingDecoded("/sums/*", "sums");
        addFilter(context);
        tomcat.start();
        try {
            int port = tomcat.getConnector().getLocalPort();
            System.out.println("checksum " + Clients.share(threads, scale * 200, index ->
                Clients.get(port, "/sums/a?to=" + index % 40).hashCode()));
            System.out.println("expected: " + Clients.get(port, "/sums/a?to=many").substring(0, 3));
        } finally {
            tomcat.stop();
            tomcat.destroy();
            delete(folder);
        }
    }

    private static void addFilter(Context context) {
        FilterDef definition = new FilterDef();
        definition.setFilterName("upper");
        definition.setFilter(new Marked());
        context.addFilterDef(definition);
        FilterMap mapping = new FilterMap();
        mapping.setFilterName("upper");
        mapping.addURLPattern("/*");
        context.addFilterMap(mapping);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    /** Adds up numbers. */
    @SuppressWarnings("serial")
    public static final class Sums extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int to = Integer.parseInt(request.getParameter("to"));
            long sum = 0;
            for (int i = 0; i <= to; i++) {
                sum += (long) i * i;
            }
            response.setHeader("X-Sum", Long.toString(sum));
            response.getWriter().print(request.getPathInfo() + request.getAttribute("mark") + sum);
        }
    }

    /** Marks what comes in. */
    public static final class Marked extends jakarta.servlet.GenericFilter {
        private static final long serialVersionUID = 1;

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            request.setAttribute("mark", "!");
            chain.doFilter(request, response);
        }
    }
}
