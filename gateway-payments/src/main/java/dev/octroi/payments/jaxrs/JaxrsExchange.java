package dev.octroi.payments.jaxrs;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.UriInfo;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that JAX-RS received. */
public final class JaxrsExchange implements Exchange {

  private static final String PROPERTY = "dev.octroi.payments.exchange";
  private static final String HEAD = "dev.octroi.payments.head";
  private static final String TARGET = "dev.octroi.payments.target";

  private record Target(String path, @Nullable String query) {}

  private final ContainerRequestContext request;

  private JaxrsExchange(ContainerRequestContext request) {
    this.request = request;
  }

  /** The request as payments see it; the same object for as long as it is served. */
  public static JaxrsExchange of(ContainerRequestContext request) {
    if (request.getProperty(PROPERTY) instanceof JaxrsExchange known && known.request == request) {
      return known;
    }
    JaxrsExchange exchange = new JaxrsExchange(request);
    request.setProperty(PROPERTY, exchange);
    return exchange;
  }

  /** Notes the method as it came: Jersey serves HEAD by turning it into GET. */
  static void noteMethod(ContainerRequestContext request) {
    if (request.getMethod().equals(HttpMethod.HEAD)) {
      request.setProperty(HEAD, true);
    }
  }

  /** Notes the path and query that were asked for, before a filter resolves an alias. */
  static void noteTarget(ContainerRequestContext request) {
    try {
      request.setProperty(TARGET, target(request));
    } catch (IllegalArgumentException e) {
      // Jersey makes a URI of every query. A target that is none is refused before it has a price.
    }
  }

  private static Target target(ContainerRequestContext request) {
    UriInfo uri = request.getUriInfo();
    return new Target(below(uri), uri.getRequestUri().getRawQuery());
  }

  private Target received() {
    return request.getProperty(TARGET) instanceof Target target ? target : target(request);
  }

  /** RESTEasy alone begins {@link UriInfo#getPath} with a slash. */
  private static String below(UriInfo uri) {
    String path = uri.getPath(false);
    return path.startsWith("/") ? path : "/" + path;
  }

  @Override
  public String method() {
    return request.getProperty(HEAD) == null ? request.getMethod() : HttpMethod.HEAD;
  }

  @Override
  public URI address() {
    return request.getUriInfo().getRequestUri();
  }

  @Override
  public String contextPath() {
    String path = request.getUriInfo().getBaseUri().getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  @Override
  public String path() {
    return below(request.getUriInfo());
  }

  @Override
  public String receivedPath() {
    return received().path();
  }

  @Override
  public @Nullable String receivedQuery() {
    return received().query();
  }

  @Override
  public Map<String, List<String>> pathParameters() {
    return request.getUriInfo().getPathParameters();
  }

  @Override
  public Map<String, List<String>> queryParameters() {
    return request.getUriInfo().getQueryParameters();
  }

  @Override
  public List<String> headers(String name) {
    List<String> values = request.getHeaders().get(name);
    return values == null ? List.of() : values;
  }

  @Override
  public @Nullable String header(String name) {
    return request.getHeaderString(name);
  }

  @Override
  public @Nullable InputStream body() {
    InputStream body = request.getEntityStream();
    return body instanceof ForMethods ours ? ours.payments() : body;
  }

  @Override
  public void body(InputStream instead) {
    request.setEntityStream(new ForMethods(instead));
  }

  @Override
  public @Nullable Object property(String name) {
    return request.getProperty(name);
  }

  @Override
  public void property(String name, Object value) {
    request.setProperty(name, value);
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    return type.isInstance(request) ? Optional.of(type.cast(request)) : Optional.empty();
  }

  /**
   * The body as methods read it: what refuses the call there is the exception that every
   * implementation of JAX-RS lets through its readers.
   */
  private static final class ForMethods extends FilterInputStream {

    ForMethods(InputStream in) {
      super(in);
    }

    InputStream payments() {
      return in;
    }

    @Override
    public int read() throws IOException {
      try {
        return in.read();
      } catch (CallRefused e) {
        throw new WebApplicationException(JaxrsAnswer.response(e.answer()));
      }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      try {
        return in.read(buffer, offset, length);
      } catch (CallRefused e) {
        throw new WebApplicationException(JaxrsAnswer.response(e.answer()));
      }
    }

    @Override
    public long skip(long bytes) throws IOException {
      try {
        return in.skip(bytes);
      } catch (CallRefused e) {
        throw new WebApplicationException(JaxrsAnswer.response(e.answer()));
      }
    }
  }
}
