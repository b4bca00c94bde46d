package dev.octroi.payments.servlet;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.flow.IncomingCall;
import dev.octroi.payments.flow.PaidEndpoint;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.setup.Payments;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes any servlet application payable: a controller, a page, a static file, a service behind a
 * proxy. No byte of an answer leaves before its price is settled.
 *
 * <p>An answer is held back until it is whole, then settled and sent; only a success is charged.
 * Where the price is settled before, the answer leaves as it is written. A request is claimed once,
 * whatever the container dispatches it to: a paid path that forwards to another one costs what the
 * first one does. Thread-safe.
 */
public final class PaymentServletFilter implements Filter {

  private final PaymentFlow flow;
  private final Function<HttpServletRequest, Optional<PaidEndpoint>> prices;

  /**
   * Sells what has a price.
   *
   * @param prices such as {@link PathPrices}; empty for what is free
   */
  public PaymentServletFilter(
      Payments payments, Function<HttpServletRequest, Optional<PaidEndpoint>> prices) {
    this.flow = payments.flow();
    this.prices = prices;
  }

  /**
   * Puts this filter before everything in an application, for every kind of dispatch. A host that
   * registers it in another way maps it so, too: what it does not see dispatched, it cannot sell.
   */
  public void register(ServletContext application) {
    FilterRegistration.Dynamic registration = application.addFilter("octroi-payments", this);
    if (registration == null) {
      throw new IllegalStateException("a filter of the name octroi-payments is registered already");
    }
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest asked
        && response instanceof HttpServletResponse answering) {
      Optional<ServletCall> known = ServletCall.of(asked);
      if (known.isPresent()) {
        known.get().again(chain, asked, answering);
        return;
      }
      Optional<PaidEndpoint> endpoint = prices.apply(asked);
      if (endpoint.isPresent()) {
        sell(endpoint.get(), asked, answering, chain);
        return;
      }
    }
    chain.doFilter(request, response);
  }

  private void sell(
      PaidEndpoint endpoint,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    if (request.getDispatcherType() == DispatcherType.INCLUDE
        || request.getDispatcherType() == DispatcherType.ERROR) {
      throw new ServletException(
          endpoint.name() + " has a price, and a page that has none cannot include it");
    }
    ServletCall call;
    try {
      if (isUpgrade(request)) {
        throw new CallRefused(HttpAnswer.error(400, "A connection that is upgraded is not sold."));
      }
      call = admit(endpoint, request, response);
    } catch (CallRefused refused) {
      HeldResponse.write(refused.answer(), response);
      return;
    }
    call.begin(chain);
  }

  private ServletCall admit(
      PaidEndpoint endpoint, HttpServletRequest request, HttpServletResponse response) {
    ServletExchange exchange = new ServletExchange(request);
    IncomingCall incoming = flow.incoming(exchange);
    ServletCall call = new ServletCall(flow, incoming, exchange, request, response);
    flow.admit(incoming, endpoint).ifPresent(call::hold);
    return call;
  }

  /** A web socket answers past any filter. An offer of HTTP/2 is no such thing. */
  private static boolean isUpgrade(HttpServletRequest request) {
    String upgrade = request.getHeader("Upgrade");
    return request.getMethod().equalsIgnoreCase("CONNECT")
        || (upgrade != null && upgrade.toLowerCase(Locale.ROOT).contains("websocket"));
  }
}
