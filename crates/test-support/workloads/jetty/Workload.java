import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A server with a servlet, asked by several clients at the same time. */
public class Workload {
    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        int threads = Clients.threads(args);
        Server server = new Server(new QueuedThreadPool(threads + 4, threads + 4));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.addServlet(new ServletHolder(new Words()), "/words/*");
        server.setHandler(context);
        server.start();
        try {
            int port = connector.getLocalPort();
            System.out.println("checksum " + Clients.share(threads, scale * 200, index ->
                Clients.get(port, "/words/" + index % 50 + "?text=the+quick+brown+fox&times=" + index % 7).hashCode()));
            System.out.println("expected: " + Clients.get(port, "/words/x").substring(0, 3));
        } finally {
            server.stop();
        }
    }

    /** Repeats a text. */
    @SuppressWarnings("serial")
    public static final class Words extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getParameter("text") == null) {
                response.sendError(HttpServletResponse.SC_BAD_REQUEST);
                return;
            }
            response.setContentType("text/plain;charset=utf-8");
            response.getWriter().println(request.getPathInfo());
            for (int i = Integer.parseInt(request.getParameter("times")); i >= 0; i--) {
                response.getWriter().println(i + ": " + request.getParameter("text"));
            }
        }
    }
}
