package dev.octroi.reference;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayApplication;
import dev.octroi.api.ReadFilter;
import dev.octroi.api.RouteFilter;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.http.ClientAddressListener;
import dev.octroi.api.settings.HttpSettings;
import dev.octroi.payments.body.BodyBuffer;
import jakarta.inject.Singleton;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JAX-RS application on Jetty: a few threads read from connections, {@link AwaitedBodies} waits
 * for bodies without any, {@link CallThreads} runs the calls. Thread-safe.
 */
final class JettyServer implements AutoCloseable {

  /** Those that read from connections and never wait. */
  private static final int IO_THREADS = 16;

  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

  /**
   * Above the gate's own limit of 16 KiB for a payment header, so that the gate answers and not the
   * connector.
   */
  private static final int REQUEST_HEADER_BYTES = 40 * 1024;

  /** The gateway's own rules for paths refuse them, but for the names of models. */
  private static final UriCompliance ESCAPED_SLASHES =
      UriCompliance.DEFAULT.with("octroi", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR);

  private static final int RESPONSE_HEADER_BYTES = 32 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(JettyServer.class);

  private final Server server;
  private final ServerConnector connector;
  private final String scheme;

  private JettyServer(Server server, ServerConnector connector, String scheme) {
    this.server = server;
    this.connector = connector;
    this.scheme = scheme;
  }

  /**
   * Starts to serve.
   *
   * @param bodies what takes in request bodies
   */
  static JettyServer start(HttpSettings settings, BodyBuffer bodies, Application application)
      throws Exception {
    return start(settings, bodies, application, List.of(), address -> {});
  }

  /** Starts to serve a gateway, whose reads are answered before JAX-RS. */
  static JettyServer start(HttpSettings settings, Gateway gateway) throws Exception {
    return start(
        settings,
        gateway.payments().bodies(),
        new GatewayApplication(gateway),
        List.of(new RouteFilter(gateway), new ReadFilter(gateway)),
        gateway::broken);
  }

  /**
   * Starts to serve.
   *
   * @param bodies what takes in request bodies
   * @param first see each request before the application does, in this order
   * @param broken is given the address that sent a request which cannot be read
   */
  static JettyServer start(
      HttpSettings settings,
      BodyBuffer bodies,
      Application application,
      List<Filter> first,
      Consumer<String> broken)
      throws Exception {
    Server server = new Server(ioThreads());
    boolean tls = settings.tls().isSet();
    ConnectionFactory[] spoken =
        tls
            ? TlsConnections.of(settings.tls(), http())
            : new ConnectionFactory[] {new HttpConnectionFactory(http())};
    ServerConnector connector = new ServerConnector(server, 1, 1, spoken);
    connector.setHost(settings.bindAddress());
    connector.setPort(settings.port());
    connector.setIdleTimeout(IDLE_TIMEOUT.toMillis());
    connector.setAcceptQueueSize(1024);
    server.addConnector(connector);
    FlatErrors errors = new FlatErrors(broken);
    server.setErrorHandler(errors);
    Handler calls =
        new CallThreads(
            settings.threads() + SlowReaders.MOST,
            new SlowReaders(new UnreadBodies(servlets(application, first, errors))));
    Handler whole = new AwaitedBodies(bodies, errors::count, calls);
    server.setHandler(new GracefulHandler(tls ? new TlsConnections.NoPlainCalls(whole) : whole));
    server.setStopTimeout(settings.shutdownGrace().toMillis());
    server.start();
    return new JettyServer(server, connector, tls ? "https" : "http");
  }

  URI baseUrl() {
    return URI.create(scheme + "://" + connector.getHost() + ":" + connector.getLocalPort());
  }

  /**
   * Takes no more calls, lets those in flight end within the grace, cuts off the rest, and stops.
   */
  @Override
  public void close() {
    try {
      LifeCycle.stop(server);
    } catch (RuntimeException e) {
      if (!(e.getCause() instanceof TimeoutException)) {
        throw e;
      }
      LOG.warn(
          "Calls that had not ended after {} ms were cut off; gateway.http.shutdown-grace gives"
              + " them longer.",
          server.getStopTimeout());
    }
  }

  private static QueuedThreadPool ioThreads() {
    QueuedThreadPool pool = new QueuedThreadPool(IO_THREADS);
    pool.setName("http");
    return pool;
  }

  private static HttpConfiguration http() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setUriCompliance(ESCAPED_SLASHES);
    http.setRequestHeaderSize(REQUEST_HEADER_BYTES);
    http.setResponseHeaderSize(RESPONSE_HEADER_BYTES);
    return http;
  }

  private static ServletContextHandler servlets(
      Application application, List<Filter> first, FlatErrors errors) {
    ServletContextHandler context = new ServletContextHandler("/", false, false);
    context.setErrorHandler(errors);
    context.getServletHandler().setDecodeAmbiguousURIs(true);
    ResourceConfig config = ResourceConfig.forApplication(application);
    config.property(ServerProperties.WADL_FEATURE_DISABLE, true);
    // The resources are checked where they are tested, not at each start.
    config.property(ServerProperties.RESOURCE_VALIDATION_DISABLE, true);
    config.property(ServerProperties.OUTBOUND_CONTENT_LENGTH_BUFFER, 0);
    config.property(ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true);
    config.register(new KnownLength(), Integer.MAX_VALUE);
    config.register(new Once(application));
    context.addEventListener(new ClientAddressListener());
    ServletHolder holder = new ServletHolder("gateway", new ServletContainer(config));
    holder.setInitOrder(0);
    context.addServlet(holder, "/*");
    first.forEach(
        filter ->
            context
                .addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST))
                .setAsyncSupported(true));
    return context;
  }

  /**
   * States the length of an answer whose bytes are there, after everything else has had its say
   * about them: without it, and without Jersey's buffer, which would hold back streams, each answer
   * is chunked and leaves in two writes. Stateless.
   */
  private static final class KnownLength implements WriterInterceptor {

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
      if (context.getEntity() instanceof byte[] bytes) {
        context.getHeaders().putSingle(HttpHeaders.CONTENT_LENGTH, bytes.length);
      }
      context.proceed();
    }
  }

  /**
   * Makes each resource once and not for every call: the gateway's take what belongs to a call as
   * parameters of their methods.
   */
  private static final class Once extends AbstractBinder {

    private final Application application;

    Once(Application application) {
      this.application = application;
    }

    @Override
    protected void configure() {
      application.getClasses().stream()
          .filter(type -> type.isAnnotationPresent(Path.class))
          .forEach(type -> bindAsContract(type).in(Singleton.class));
    }
  }

  /**
   * Says of a connection that it ends where an answer leaves before its request's body has come, as
   * with a refusal by the headers alone. Jetty closes such a connection without a word, and a
   * client that has the next call under way on it cannot know whether that was heard (RFC 9112,
   * section 9.6). Thread-safe.
   */
  private static final class UnreadBodies extends Handler.Wrapper {

    UnreadBodies(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      return super.handle(request, new Announcing(request, response), callback);
    }

    private static final class Announcing extends Response.Wrapper {

      Announcing(Request request, Response response) {
        super(request, response);
      }

      @Override
      public void write(boolean last, ByteBuffer content, Callback callback) {
        if (!isCommitted() && !getRequest().consumeAvailable()) {
          getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        }
        super.write(last, content, callback);
      }
    }
  }

  /**
   * Runs calls on threads that may wait, so that the threads which read from connections never do;
   * and questions after the node's health on a few of their own, which answer whatever the calls
   * wait for. Thread-safe.
   */
  private static final class CallThreads extends Handler.Wrapper {

    private static final int LEAST_CALLS = 8;
    private static final int HEALTH = 2;

    private final Executor calls;
    private final Executor health;

    /**
     * @param most how many threads there are where the JDK has no virtual ones, those among them
     *     that wait for slow readers
     */
    CallThreads(int most, Handler handler) {
      super(handler);
      Executor virtual = VirtualThreads.getDefaultVirtualThreadsExecutor();
      calls = virtual == null ? pool("call", most, LEAST_CALLS) : virtual;
      health = pool("health", HEALTH, HEALTH);
      installBean(calls);
      installBean(health);
    }

    private static QueuedThreadPool pool(String name, int most, int least) {
      QueuedThreadPool pool = new QueuedThreadPool(most, least);
      pool.setName(name);
      pool.setReservedThreads(0);
      return pool;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Executor threads = Request.getPathInContext(request).startsWith("/health/") ? health : calls;
      try {
        threads.execute(() -> run(request, response, callback));
      } catch (RejectedExecutionException e) {
        Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
      }
      return true;
    }

    private void run(Request request, Response response, Callback callback) {
      try {
        if (!super.handle(request, response, callback)) {
          Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
        }
      } catch (Throwable t) {
        Response.writeError(request, response, callback, t);
      }
    }
  }

  /**
   * Errors that Jetty makes by itself, in the gateway's flat shape and without a word of Jetty's: a
   * request whose head cannot be read, a path that is ambiguous, a server that stops. Jetty closes
   * the connection of a request that it could not read, so the answer says so. Thread-safe.
   *
   * @param broken is given the address that sent a request which Jetty could not read
   */
  record FlatErrors(Consumer<String> broken) implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      int status = response.getStatus();
      if (HttpStatus.isClientError(status)) {
        count(request);
      }
      if (HttpStatus.isClientError(status) || status == HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505) {
        closed(request, response);
      }
      if (HttpStatus.hasNoBody(status) || HttpMethod.HEAD.is(request.getMethod())) {
        response.write(true, null, callback);
        return true;
      }
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.write(true, ByteBuffer.wrap(ErrorAnswer.flat(status).body()), callback);
      return true;
    }

    /** HTTP/2 has no such header: a broken request ends its stream there. */
    private static void closed(Request request, Response response) {
      if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
      }
    }

    /** Counts a request that cannot be read. */
    void count(Request request) {
      if (request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress from
          && from.getAddress() != null) {
        broken.accept(from.getAddress().getHostAddress());
      }
    }
  }
}
