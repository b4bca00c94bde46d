package dev.octroi.api;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.servlet.WebappContext;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;

/** An application on a real servlet container, on a free port of the loopback address. */
public final class HttpHost implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HttpServer server = new HttpServer();
  private final NetworkListener listener = new NetworkListener("test", "127.0.0.1", 0);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  public HttpHost(Application application) {
    this(application, List.of());
  }

  /** With filters that see each request before the application does. */
  public HttpHost(Application application, List<Filter> first) {
    server.addListener(listener);
    ResourceConfig config = ResourceConfig.forApplication(application);
    config.property(ServerProperties.OUTBOUND_CONTENT_LENGTH_BUFFER, 0);
    WebappContext context = new WebappContext("test", "");
    context.addServlet("jersey", new ServletContainer(config)).addMapping("/*");
    for (Filter filter : first) {
      context
          .addFilter(filter.getClass().getSimpleName(), filter)
          .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), "/*");
    }
    context.deploy(server);
    try {
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A client that offers no upgrade to HTTP/2, after which this container ends the connection. */
  public HttpClient client() {
    return client;
  }

  public URI base() {
    return URI.create("http://127.0.0.1:" + listener.getPort());
  }

  public HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create(base() + target)).timeout(PATIENCE);
  }

  public HttpResponse<String> get(String target) {
    return send(request(target).build());
  }

  public HttpResponse<String> send(HttpRequest request) {
    return send(request, BodyHandlers.ofString());
  }

  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body) {
    try {
      return client.send(request, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Sends bytes as they are, which a client library would not, and returns the whole answer. */
  public String raw(String request) {
    try (Socket socket = new Socket("127.0.0.1", listener.getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
