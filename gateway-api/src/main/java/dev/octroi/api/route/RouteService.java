package dev.octroi.api.route;

import dev.octroi.api.discovery.ErrorPages;
import dev.octroi.api.discovery.Paywall;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.error.ErrorMapper.WrittenAnswer;
import dev.octroi.api.error.ErrorShapes;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.Cors;
import dev.octroi.api.http.SandboxPages;
import dev.octroi.api.http.StandardHeaders;
import dev.octroi.api.observe.Observation;
import dev.octroi.api.observe.ObservedCall;
import dev.octroi.api.path.PathRules;
import dev.octroi.api.settings.RouteSettings;
import dev.octroi.api.settings.RouteSettings.Moment;
import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Metering;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Usd;
import dev.octroi.payments.body.ReceivedBody;
import dev.octroi.payments.flow.IncomingCall;
import dev.octroi.payments.flow.PaidEndpoint;
import dev.octroi.payments.servlet.PaymentServletFilter;
import dev.octroi.payments.servlet.PaymentServletFilter.Manner;
import dev.octroi.payments.servlet.ServletExchange;
import dev.octroi.payments.setup.Payments;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.upstream.ProxyRequest.Body;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Serves the routes in a servlet container: by the rules that hold for everything else, through the
 * one flow of payments, by the proxy of each. Thread-safe.
 */
public final class RouteService {

  /** The call that a request is, for those that are asked about it by the request alone. */
  private static final String CALL = "dev.octroi.api.route-call";

  private static final String OPTIONS = "OPTIONS";

  /** What figures call the paths that cost nothing. */
  private static final String FREE = "free";

  private final Routes routes;
  private final Rules rules;
  private final Payments payments;
  private final PaymentServletFilter selling;
  private final RouteClients clients;

  /**
   * The rules for all calls of the gateway.
   *
   * @param paywall makes pages of challenges; empty where there are none
   * @param errors makes pages of what is not there
   */
  public record Rules(
      ClientAddress addresses,
      Optional<SandboxPages> pages,
      Cors cors,
      StandardHeaders standard,
      Optional<Paywall> paywall,
      ErrorPages errors,
      Observation observation,
      Admission admission) {}

  /** One request. */
  private record Asked(Route route, SoldRow row, Exchange exchange, String path) {

    PaidEndpoint endpoint() {
      RouteSettings settings = route.settings();
      boolean before = settings.streaming() || settings.settle() == Moment.BEFORE;
      Usd list = row.list().orElseThrow();
      return new PaidEndpoint(
          row.word(),
          call -> {
            if (settings.metered()) {
              call.metered(Metering.HELD);
            }
            return list;
          },
          before ? Settle.BEFORE : Settle.AFTER,
          before
              ? Redelivery.RESUMED
              : row.method().equals("GET") ? Redelivery.REREAD : Redelivery.STORED);
    }
  }

  /** Serves the routes from now on: they are told of, too. */
  public RouteService(Routes routes, Rules rules, Payments payments) {
    this.routes = routes;
    this.rules = rules;
    this.payments = payments;
    this.clients = routes.clients(payments.addresses(), rules.cors().isOn());
    this.selling =
        new PaymentServletFilter(
            payments,
            request -> Optional.of(asked(request).endpoint()),
            new Manner(
                true,
                request -> asked(request).route().settings().bodyLimit().bytes(),
                this::shaped));
    routes.serve();
  }

  private static Asked asked(ServletRequest request) {
    return (Asked) Objects.requireNonNull(request.getAttribute(CALL));
  }

  /** Whether a path below the application belongs to a route at this moment. */
  public boolean holds(String path) {
    return routes.table().of(path).isPresent();
  }

  /**
   * Serves a request.
   *
   * @param path below the application, encoded
   * @return false if it belongs to no route
   */
  public boolean serve(HttpServletRequest request, HttpServletResponse response, String path)
      throws IOException, ServletException {
    Optional<Route> route = routes.table().of(path);
    if (route.isEmpty()) {
      return false;
    }
    ServletExchange exchange;
    try {
      exchange = new ServletExchange(request);
    } catch (CallRefused noAddress) {
      write(noAddress.answer(), response);
      return true;
    }
    WrittenAnswer.begin();
    Addressed.note(exchange, Optional.of(route.get().group()));
    rules.addresses().note(exchange, request);
    ObservedCall seen = rules.observation().begin(exchange);
    rules.cors().put(exchange, response::addHeader);
    rules.standard().put(exchange, response::setHeader);
    String called = ObservedCall.Endpoint.UNMATCHED;
    try {
      called = serve(route.get(), exchange, request, response, path);
    } catch (IOException e) {
      rules.observation().cut(seen);
      throw e;
    } finally {
      seen.answered(
          new ObservedCall.Endpoint(
              route.get().word(), ObservedCall.Endpoint.method(exchange.method()), called),
          response.getStatus());
      rules.observation().end(seen);
    }
    return true;
  }

  /** Tells what was called. */
  private String serve(
      Route route,
      ServletExchange exchange,
      HttpServletRequest request,
      HttpServletResponse response,
      String path)
      throws IOException, ServletException {
    Optional<ErrorAnswer> refused = refusal(exchange, path);
    if (refused.isPresent()) {
      write(ErrorShapes.answer(exchange, refused.get()), response);
      return ObservedCall.Endpoint.UNMATCHED;
    }
    Route.Match match =
        routes.table().isMisspelt(path)
            ? new Route.Match.Misspelt()
            : route.match(exchange.method(), path);
    if (exchange.method().equals(OPTIONS)) {
      options(match, exchange, response);
      return ObservedCall.Endpoint.UNMATCHED;
    }
    if (match instanceof Route.Match.Sold sold) {
      sell(new Asked(route, sold.row(), exchange, path), request, response);
      return sold.row().path();
    }
    if (match instanceof Route.Match.Free) {
      give(route, exchange, request, response, path);
      return FREE;
    }
    write(rules.errors().page(exchange, ErrorShapes.answer(exchange, missing(match))), response);
    if (match instanceof Route.Match.OtherMethod other) {
      response.setHeader("Allow", allowed(other.allowed()));
    }
    return ObservedCall.Endpoint.UNMATCHED;
  }

  /** What forbids a request, whatever route it is for. */
  private Optional<ErrorAnswer> refusal(ServletExchange exchange, String path) {
    Optional<ErrorAnswer> fault = PathRules.refusalAtServer(path, exchange.receivedQuery());
    if (fault.isPresent()) {
      return fault;
    }
    Optional<ErrorAnswer> page =
        rules.pages().flatMap(pages -> pages.refusal(exchange)).map(SandboxPages::answer);
    if (page.isPresent()) {
      return page;
    }
    String upgrade = exchange.header("Upgrade");
    boolean socket = upgrade != null && upgrade.toLowerCase(Locale.ROOT).contains("websocket");
    return socket || exchange.method().equals("CONNECT")
        ? Optional.of(
            ErrorAnswer.shaped(
                501,
                ErrorCode.NOT_OFFERED.code(),
                "WebSockets are not sold here: what flows in one cannot be paid for by the call."))
        : Optional.empty();
  }

  private static ErrorAnswer missing(Route.Match match) {
    if (match instanceof Route.Match.OtherMethod) {
      return ErrorAnswer.flat(405);
    }
    String sentence =
        match instanceof Route.Match.Misspelt
            ? "There is no such path: letters of another case make another path."
            : "This gateway does not sell that.";
    return ErrorAnswer.shaped(404, ErrorCode.NOT_FOUND.code(), sentence);
  }

  private void options(Route.Match match, Exchange exchange, HttpServletResponse response) {
    Set<String> methods =
        match instanceof Route.Match.OtherMethod other ? other.allowed() : Set.of();
    response.setStatus(204);
    response.setHeader("Allow", allowed(methods));
    rules.cors().preflight(exchange, methods).forEach(response::setHeader);
  }

  private static String allowed(Set<String> methods) {
    Set<String> all = new TreeSet<>(methods);
    all.add(OPTIONS);
    return String.join(", ", all);
  }

  private void sell(Asked asked, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (ReceivedBody.announced(asked.exchange()) > asked.route().settings().bodyLimit().bytes()) {
      write(ErrorShapes.answer(asked.exchange(), ErrorAnswer.flat(413)), response);
      return;
    }
    request.setAttribute(CALL, asked);
    try {
      selling.doFilter(request, response, (given, answering) -> forward(asked, given, answering));
    } catch (RuntimeException | Error e) {
      if (response.isCommitted()) {
        throw e;
      }
      write(shaped(asked.exchange(), ErrorShapes.answer(asked.exchange(), e)), response);
    }
  }

  /**
   * What the payment's filter calls the application. What pays was read for the payment; what costs
   * nothing by the price book was not.
   */
  private void forward(Asked asked, ServletRequest given, ServletResponse answering)
      throws IOException {
    HttpServletRequest request = (HttpServletRequest) given;
    HttpServletResponse response = (HttpServletResponse) answering;
    Optional<Payment> payment = Payment.of(request.getUserPrincipal());
    if (payment.isEmpty()) {
      long longest = asked.route().settings().bodyLimit().bytes();
      try (IncomingCall incoming = payments.flow().incoming(asked.exchange(), longest)) {
        pass(asked, request, payment, body(incoming), response);
      }
    } else {
      pass(asked, request, payment, body(request), response);
    }
  }

  private void pass(
      Asked asked,
      HttpServletRequest request,
      Optional<Payment> payment,
      Optional<Body> body,
      HttpServletResponse response)
      throws IOException {
    clients
        .of(asked.route())
        .serve(
            new RouteProxy.Call(asked.exchange(), request, asked.path(), payment, body), response);
  }

  private static Optional<Body> body(HttpServletRequest request) {
    long length = request.getContentLengthLong();
    return length <= 0 ? Optional.empty() : Optional.of(new Body(length, () -> opened(request)));
  }

  private static InputStream opened(HttpServletRequest request) {
    try {
      return request.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<Body> body(IncomingCall incoming) {
    byte[] body = incoming.body();
    return body.length == 0
        ? Optional.empty()
        : Optional.of(new Body(body.length, () -> new ByteArrayInputStream(body)));
  }

  /** What costs nothing is counted like a call that is not paid for. */
  private void give(
      Route route,
      ServletExchange exchange,
      HttpServletRequest request,
      HttpServletResponse response,
      String path)
      throws IOException {
    long longest = route.settings().bodyLimit().bytes();
    try (IncomingCall incoming = payments.flow().incoming(exchange, longest)) {
      rules.admission().unpaid(exchange);
      Optional<Body> body = body(incoming);
      Admission.Permit place = rules.admission().free(exchange);
      try {
        clients
            .of(route)
            .serve(new RouteProxy.Call(exchange, request, path, Optional.empty(), body), response);
      } finally {
        place.close();
      }
    } catch (CallRefused refused) {
      write(refused.answer(), response);
    } catch (RuntimeException | Error e) {
      if (response.isCommitted()) {
        throw e;
      }
      write(ErrorShapes.answer(exchange, e), response);
    }
  }

  private HttpAnswer shaped(Exchange exchange, HttpAnswer answer) {
    return rules.paywall().map(paywall -> paywall.page(exchange, answer)).orElse(answer);
  }

  /** Writes an answer that is whole. */
  public static void write(HttpAnswer answer, HttpServletResponse response) throws IOException {
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    response.setContentLength(answer.body().length);
    response.getOutputStream().write(answer.body());
  }
}
