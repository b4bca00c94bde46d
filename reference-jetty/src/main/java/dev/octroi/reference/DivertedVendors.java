package dev.octroi.reference;

import dev.octroi.reference.DryRun.Asked;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamSettings;
import java.io.ByteArrayOutputStream;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Vendors in whose place others answer, and what they were asked. Thread-safe. */
final class DivertedVendors implements AutoCloseable {

  /** Headers besides the credential whose values are secrets of the operator. */
  private static final String SECOND_KEY = "encrypted_key";

  private static final String HIDDEN = "***";

  private final Map<String, @Nullable UpstreamSettings> others;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Asked> asked = new ArrayList<>();

  /**
   * @param vendors who would be asked, by the setting of their address
   * @param others who answers in their place
   */
  DivertedVendors(Map<String, UpstreamSettings> vendors, Map<String, UpstreamSettings> others) {
    this.others = new HashMap<>();
    vendors.forEach((setting, vendor) -> this.others.put(key(vendor), others.get(setting)));
  }

  /** What sends the requests of an upstream. */
  HttpClient connection(UpstreamSettings upstream) {
    return new Diverted(upstream);
  }

  List<Asked> take() {
    synchronized (asked) {
      List<Asked> taken = List.copyOf(asked);
      asked.clear();
      return taken;
    }
  }

  /** What is under way ends by itself. */
  @Override
  public void close() {
    take();
  }

  private HttpRequest diverted(UpstreamSettings upstream, HttpRequest request) {
    note(upstream, request);
    UpstreamSettings other = others.get(key(upstream));
    if (other == null) {
      throw new IllegalStateException("The sandbox has no " + upstream.name());
    }
    String asked = request.uri().toString().substring(root(upstream).length());
    String below =
        account(upstream.credential())
            .flatMap(own -> account(other.credential()).map(its -> asked.replace(own, its)))
            .orElse(asked);
    String key = upstream.credential().headerName().orElse("");
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(
                request,
                (name, value) -> !name.equalsIgnoreCase(key) && !name.equalsIgnoreCase(SECOND_KEY))
            .uri(URI.create(root(other) + below));
    other
        .credential()
        .headerName()
        .ifPresent(n -> builder.header(n, other.credential().headerValue()));
    request
        .headers()
        .firstValue(SECOND_KEY)
        .ifPresent(any -> builder.header(SECOND_KEY, "sandbox"));
    return builder.build();
  }

  /** Two upstreams may have one name, or one address; groups see to the rest of the settings. */
  private static String key(UpstreamSettings upstream) {
    return upstream.name() + " " + upstream.base();
  }

  private static String root(UpstreamSettings upstream) {
    return upstream.base().toString().replaceAll("/$", "");
  }

  /** The account of {@code Basic} credentials, which vendors have in their paths too. */
  private static Optional<String> account(Credential credential) {
    String value = credential.headerValue();
    return value.startsWith("Basic ")
        ? Optional.of(
            new String(
                    Base64.getDecoder().decode(value.substring("Basic ".length())),
                    StandardCharsets.UTF_8)
                .split(":", 2)[0])
        : Optional.empty();
  }

  private void note(UpstreamSettings upstream, HttpRequest request) {
    Map<String, String> headers = new LinkedHashMap<>();
    String key = upstream.credential().headerName().orElse("");
    request
        .headers()
        .map()
        .forEach((name, values) -> headers.put(name, shown(name, key, String.join(", ", values))));
    Asked one =
        new Asked(
            upstream.name(),
            request.method(),
            request.uri(),
            headers,
            request.bodyPublisher().map(Body::textOf).orElse(""));
    synchronized (asked) {
      asked.add(one);
    }
  }

  private static String shown(String name, String key, String value) {
    if (name.equalsIgnoreCase(key)) {
      int blank = value.indexOf(' ');
      return value.substring(0, blank + 1) + HIDDEN;
    }
    return name.toLowerCase(Locale.ROOT).equals(SECOND_KEY) ? HIDDEN : value;
  }

  /** Sends elsewhere what it is to send. */
  private final class Diverted extends HttpClient {

    private final UpstreamSettings upstream;

    Diverted(UpstreamSettings upstream) {
      this.upstream = upstream;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
        throws java.io.IOException, InterruptedException {
      return http.send(diverted(upstream, request), handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request, HttpResponse.BodyHandler<T> handler) {
      return http.sendAsync(diverted(upstream, request), handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request,
        HttpResponse.BodyHandler<T> handler,
        HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
      return sendAsync(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
      return http.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
      return http.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
      return http.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
      return http.proxy();
    }

    @Override
    public SSLContext sslContext() {
      return http.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
      return http.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
      return http.authenticator();
    }

    @Override
    public Version version() {
      return http.version();
    }

    @Override
    public Optional<Executor> executor() {
      return http.executor();
    }
  }

  /** Reads the body of a request, which is in memory. */
  private static final class Body implements Flow.Subscriber<ByteBuffer> {

    /** Whole, for a character may begin in one piece and end in the next. */
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();

    static String textOf(BodyPublisher publisher) {
      Body body = new Body();
      publisher.subscribe(body);
      return body.all.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer bytes) {
      byte[] piece = new byte[bytes.remaining()];
      bytes.get(piece);
      all.writeBytes(piece);
    }

    @Override
    public void onError(Throwable error) {
      throw new IllegalStateException("a body in memory cannot be read", error);
    }

    @Override
    public void onComplete() {
      // all of it is there
    }
  }
}
