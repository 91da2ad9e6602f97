import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;
import io.undertow.util.PathTemplateMatch;
import java.net.InetSocketAddress;
import java.util.logging.LogManager;

/** A server with handlers for templates of paths, asked by several clients at the same time. */
public class Workload {
    public static void main(String[] args) throws Exception {
        LogManager.getLogManager().reset();
        int scale = Integer.parseInt(args[0]);
        int threads = Clients.threads(args);
        Undertow server = Undertow.builder()
            .addHttpListener(0, "127.0.0.1")
            .setIoThreads(threads)
            .setWorkerThreads(threads)
            .setHandler(Handlers.routing()
                .get("/greet/{name}", Workload::greet)
                .get("/divide/{a}/{b}", new BlockingHandler(Workload::divide)))
            .build();
        server.start();
        try {
            int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
            System.out.println("checksum " + Clients.share(threads, scale * 200, index -> index % 3 == 0
                ? Clients.get(port, "/divide/" + index % 100 + "/" + (index % 7 + 1)).hashCode()
                : Clients.get(port, "/greet/n%C3%A4me" + index % 60).hashCode()));
            System.out.println("expected: " + Clients.get(port, "/divide/1/0").substring(0, 3));
        } finally {
            server.stop();
        }
    }

    private static String parameter(HttpServerExchange exchange, String name) {
        return exchange.getAttachment(PathTemplateMatch.ATTACHMENT_KEY).getParameters().get(name);
    }

    private static void greet(HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
        exchange.getResponseSender().send("hello " + parameter(exchange, "name"));
    }

    private static void divide(HttpServerExchange exchange) {
        int quotient = Integer.parseInt(parameter(exchange, "a")) / Integer.parseInt(parameter(exchange, "b"));
        exchange.getResponseSender().send(Integer.toString(quotient));
    }
}
