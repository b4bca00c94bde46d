package dev.octroi.api.http;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address that a request came from, where the container is a servlet container, and notes
 * it on the request; of an inner call, also under which name its answer is passed on.
 *
 * <p>The one thing that is injected into the module: JAX-RS itself knows no addresses.
 * Implementations inject a proxy, nothing, or a proxy that throws outside of a servlet; and one of
 * them lets calls pass while the first is still about to inject it.
 */
@PreMatching
public final class ClientAddress implements ContainerRequestFilter {

  private static final String PROPERTY = "dev.octroi.api.client";
  private static final String DIRECT = "dev.octroi.api.direct";
  private static final String PROXIES = "dev.octroi.api.proxies";
  private static final String REMOTE = "dev.octroi.api.remote";
  private static final String ARRIVED = "dev.octroi.api.arrived";

  private static final Duration SOON = Duration.ofSeconds(1);

  private final TrustedProxies proxies;
  private final InnerCalls inner;

  /** Found out for those who ask: most requests need not know it. */
  private final Supplier<Optional<String>> arrival = this::arrived;

  private final CountDownLatch injected = new CountDownLatch(1);
  private volatile @Nullable HttpServletRequest servlet;

  /**
   * @param inner what this process calls of itself, whose word is taken like a proxy's
   */
  public ClientAddress(TrustedProxies proxies, InnerCalls inner) {
    this.proxies = proxies;
    this.inner = inner;
  }

  /** For the implementation, once. */
  @Context
  public void setServlet(@Nullable HttpServletRequest request) {
    servlet = request;
    injected.countDown();
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String noted = (String) request.getProperty(REMOTE);
    note(JaxrsExchange.of(request), noted == null ? direct() : noted, arrival);
  }

  /** Notes the address of a request that a servlet container hands to no JAX-RS. */
  public void note(Exchange exchange, HttpServletRequest request) {
    note(exchange, request.getRemoteAddr(), () -> Optional.of(arrivedAt(request)));
  }

  private void note(
      Exchange request, @Nullable String direct, Supplier<Optional<String>> arrivedAt) {
    if (inner.made(request)) {
      Optional.ofNullable(request.header(InnerCalls.CLIENT))
          .ifPresent(client -> request.property(PROPERTY, client));
      Optional.ofNullable(request.header(InnerCalls.PASSED_ON))
          .ifPresent(name -> request.property(PaymentFlow.PASSED_ON, name));
      Optional.ofNullable(request.header(InnerCalls.BOUND_TO))
          .map(InnerCalls::binding)
          .ifPresent(bound -> request.property(PaymentFlow.BOUND_TO, bound));
      request.property(PROXIES, 1);
    } else if (direct != null) {
      request.property(ARRIVED, arrivedAt);
      request.property(DIRECT, direct);
      TrustedProxies.Origin origin = proxies.origin(direct, request.header("X-Forwarded-For"));
      request.property(PROPERTY, origin.client());
      request.property(PROXIES, origin.proxies());
    }
  }

  /** Notes what a container knows of a request, so that no injected proxy has to be asked. */
  static void note(ServletRequest request) {
    request.setAttribute(REMOTE, request.getRemoteAddr());
  }

  /** What counts as one client: an address, or the network of an IPv6 one. */
  public static Optional<String> of(Exchange request) {
    return Optional.ofNullable((String) request.property(PROPERTY));
  }

  /** The same for people to read: dotted or with colons; a question mark where it is not known. */
  public static String readable(Exchange request) {
    return of(request).map(ClientAddress::readable).orElse("?");
  }

  private static String readable(String counted) {
    try {
      return InetAddress.getByAddress(HexFormat.of().parseHex(counted)).getHostAddress();
    } catch (UnknownHostException | IllegalArgumentException e) {
      return counted;
    }
  }

  /** The address at the other end of the connection, the caller's or a proxy's. */
  public static Optional<String> direct(Exchange request) {
    return Optional.ofNullable((String) request.property(DIRECT));
  }

  /**
   * How many trusted proxies passed a request on, counted from this server: their word is taken for
   * what the world calls us.
   */
  public static int proxies(Exchange request) {
    return request.property(PROXIES) instanceof Integer proxies ? proxies : 0;
  }

  /** The address and port that a request arrived at; an IPv6 address in brackets. */
  public static Optional<String> arrivedAt(Exchange request) {
    return request.property(ARRIVED) instanceof Supplier<?> arrival
        ? ((Optional<?>) arrival.get()).map(String.class::cast)
        : Optional.empty();
  }

  private Optional<String> arrived() {
    return Optional.ofNullable(servlet()).map(ClientAddress::arrivedAt);
  }

  private static String arrivedAt(ServletRequest request) {
    String host = request.getLocalAddr();
    String literal = host.contains(":") ? "[" + host + "]" : host;
    return literal + ":" + request.getLocalPort();
  }

  /** Waits for it, where it is about to come; where none comes, only the first calls wait. */
  private @Nullable HttpServletRequest servlet() {
    try {
      if (injected.getCount() > 0 && !injected.await(SOON.toMillis(), TimeUnit.MILLISECONDS)) {
        injected.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return servlet;
  }

  private @Nullable String direct() {
    try {
      HttpServletRequest request = servlet();
      return request == null ? null : request.getRemoteAddr();
    } catch (RuntimeException e) {
      // A proxy without a servlet behind it: each implementation throws something of its own.
      return null;
    }
  }
}
