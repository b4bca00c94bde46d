package dev.octroi.payments.servlet;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
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
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;

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

  private static final HttpAnswer UPGRADED =
      HttpAnswer.error(400, "A connection that is upgraded is not sold.");

  private final PaymentFlow flow;
  private final Function<HttpServletRequest, Optional<PaidEndpoint>> prices;
  private final Manner manner;

  /**
   * How a host that knows more of its calls than their prices has them sold.
   *
   * @param settlesItself whether the application moves the money of calls that settle before, by
   *     {@link dev.octroi.payments.Payment#settle}; else it has moved when the application is asked
   * @param longestBody how long the body of a request may be in bytes, where that is less than
   *     usual
   * @param refusals what an answer in place of the application's becomes before it leaves
   */
  public record Manner(
      boolean settlesItself,
      ToLongFunction<HttpServletRequest> longestBody,
      BiFunction<Exchange, HttpAnswer, HttpAnswer> refusals) {

    static final Manner USUAL =
        new Manner(false, request -> Long.MAX_VALUE, (exchange, answer) -> answer);
  }

  /**
   * Sells what has a price.
   *
   * @param prices such as {@link PathPrices}; empty for what is free
   */
  public PaymentServletFilter(
      Payments payments, Function<HttpServletRequest, Optional<PaidEndpoint>> prices) {
    this(payments, prices, Manner.USUAL);
  }

  /** The same in a manner of the host's own. */
  public PaymentServletFilter(
      Payments payments,
      Function<HttpServletRequest, Optional<PaidEndpoint>> prices,
      Manner manner) {
    this.flow = payments.flow();
    this.prices = prices;
    this.manner = manner;
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
    if (isUpgrade(request)) {
      HeldResponse.write(UPGRADED, response);
      return;
    }
    ServletExchange exchange;
    try {
      exchange = new ServletExchange(request);
    } catch (CallRefused noAddress) {
      HeldResponse.write(noAddress.answer(), response);
      return;
    }
    IncomingCall incoming = flow.incoming(exchange, manner.longestBody().applyAsLong(request));
    ServletCall call = new ServletCall(flow, manner, incoming, exchange, request, response);
    try {
      flow.admit(incoming, endpoint).ifPresent(call::hold);
    } catch (CallRefused refused) {
      try (incoming) {
        HeldResponse.write(manner.refusals().apply(exchange, refused.answer()), response);
      }
      return;
    }
    call.begin(chain);
  }

  /** A web socket answers past any filter. An offer of HTTP/2 is no such thing. */
  private static boolean isUpgrade(HttpServletRequest request) {
    String upgrade = request.getHeader("Upgrade");
    return request.getMethod().equalsIgnoreCase("CONNECT")
        || (upgrade != null && upgrade.toLowerCase(Locale.ROOT).contains("websocket"));
  }
}
