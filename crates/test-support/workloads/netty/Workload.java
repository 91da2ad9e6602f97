import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A server and clients that talk HTTP over the loopback device, each client with its own connection. */
public class Workload {
    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        int threads = Clients.threads(args);
        EventLoopGroup servers = new NioEventLoopGroup(threads);
        EventLoopGroup clients = new NioEventLoopGroup(threads);
        try {
            Channel server = listen(servers);
            int port = ((java.net.InetSocketAddress) server.localAddress()).getPort();
            System.out.println("checksum " + Clients.share(threads, threads, index ->
                converse(clients, port, index, threads, scale * 200)));
            try (Conversation conversation = new Conversation(clients, port)) {
                System.out.println("expected: " + conversation.ask("/nowhere"));
            }
            server.close().sync();
        } finally {
            clients.shutdownGracefully(0, 5, java.util.concurrent.TimeUnit.SECONDS).sync();
            servers.shutdownGracefully(0, 5, java.util.concurrent.TimeUnit.SECONDS).sync();
        }
    }

    private static long converse(EventLoopGroup group, int port, int first, int step, int requests) throws Exception {
        long sum = 0;
        try (Conversation conversation = new Conversation(group, port)) {
            for (int number = first; number < requests; number += step) {
                sum += conversation.ask("/square?n=" + number % 1000 + "&name=a%20b").hashCode();
            }
        }
        return sum;
    }

    private static Channel listen(EventLoopGroup group) throws InterruptedException {
        return new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
            .childHandler(new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 16), new Squares());
                }
            }).bind("127.0.0.1", 0).sync().channel();
    }

    /** Answers with the square of a number. */
    private static final class Squares extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            QueryStringDecoder query = new QueryStringDecoder(request.uri());
            boolean isKnown = query.path().equals("/square");
            String text = "nothing is at " + query.path();
            if (isKnown) {
                long number = Long.parseLong(query.parameters().get("n").get(0));
                text = query.parameters().get("name").get(0) + " " + number * number;
            }
            ByteBuf body = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                isKnown ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND, body);
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            context.writeAndFlush(response);
        }
    }

    /** A client's connection: one question at a time. */
    private static final class Conversation implements AutoCloseable {
        private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(1);
        private final Channel channel;

        Conversation(EventLoopGroup group, int port) throws InterruptedException {
            channel = new Bootstrap().group(group).channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpClientCodec(), new HttpObjectAggregator(1 << 16), new Answers());
                    }
                }).connect("127.0.0.1", port).sync().channel();
        }

        String ask(String path) throws InterruptedException {
            channel.writeAndFlush(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path));
            return answers.take();
        }

        @Override
        public void close() throws InterruptedException {
            channel.close().sync();
        }

        private final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
            @Override
            protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
                answers.add(response.status().code() + " " + response.content().toString(StandardCharsets.UTF_8));
            }
        }
    }
}
