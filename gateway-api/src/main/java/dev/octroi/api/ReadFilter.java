package dev.octroi.api;

import dev.octroi.api.error.ErrorShapes;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.OpenGroup.FoundRead;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.http.AcceptHtml;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.Compression;
import dev.octroi.api.http.Cors;
import dev.octroi.api.http.SandboxPages;
import dev.octroi.api.http.StandardHeaders;
import dev.octroi.api.observe.Observation;
import dev.octroi.api.observe.ObservedCall;
import dev.octroi.api.path.PathRules;
import dev.octroi.api.setup.OpenGroups;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.IncomingCall;
import dev.octroi.payments.flow.PaidCall;
import dev.octroi.payments.flow.PaidEndpoint;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.servlet.ServletExchange;
import dev.octroi.services.Answer;
import dev.octroi.services.read.Read;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers reads in a servlet container before JAX-RS is reached, which costs more than the read: by
 * the same flow, the same rows and the same rules. A request that is anything but the plain call of
 * a read that is sold goes on to JAX-RS, which serves or refuses it. May be left out. Thread-safe.
 */
public final class ReadFilter extends HttpFilter {

  private static final long serialVersionUID = 1L;

  private final transient ConfiguredGroups groups;
  private final transient OpenGroups open;
  private final transient PaymentFlow flow;
  private final transient Observation observation;
  private final transient PathRules paths;
  private final transient ClientAddress addresses;
  private final transient Optional<SandboxPages> pages;
  private final transient Cors cors;
  private final transient StandardHeaders standard;
  private final transient Optional<Compression> compression;
  private final transient boolean paywall;
  private final transient Map<Read, Sold> rows = new HashMap<>();

  /** A row, and what is agreed about all of its calls. */
  private record Sold(SoldRow row, PaidEndpoint endpoint, ObservedCall.Endpoint observed) {

    static Sold of(SoldRow row, Read read) {
      Usd price = Usd.of(read.price());
      return new Sold(
          row,
          new PaidEndpoint(row.word(), call -> price, Settle.AFTER, Redelivery.REREAD),
          new ObservedCall.Endpoint(row.group().word(), row.method(), row.path()));
    }
  }

  /** One call of a read. */
  private record Call(Sold sold, FoundRead read, ServletExchange exchange) {}

  /** What leaves, and the payment it was bought with; null where it was not. */
  private record Outcome(HttpAnswer answer, IncomingCall incoming, @Nullable PaidCall paid) {}

  /** Serves the reads of a gateway; the host that built the gateway closes it. */
  public ReadFilter(Gateway gateway) {
    Mounting mounting = new Mounting(gateway, true);
    groups = gateway.groups();
    open = gateway.runtime().groups();
    flow = gateway.payments().flow();
    observation = gateway.operations().watching().observation();
    paths = mounting.pathRules();
    addresses = mounting.clientAddress();
    pages = mounting.sandboxPages();
    cors = mounting.cors();
    standard = mounting.standardHeaders();
    compression = mounting.compression();
    paywall = gateway.settings().discovery().paywall();
    gateway
        .prices()
        .sold()
        .forEach(row -> row.read().ifPresent(read -> rows.put(read, Sold.of(row, read))));
  }

  /** Puts this filter before everything in an application. */
  public void register(ServletContext application) {
    putFirst(application, "octroi-reads", this);
  }

  /** Has a filter see each request of an application before everything that is there. */
  static void putFirst(ServletContext application, String name, Filter filter) {
    FilterRegistration.Dynamic registration = application.addFilter(name, filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<Call> call = isPlain(request) ? call(request) : Optional.empty();
    if (call.isPresent()) {
      serve(call.get(), response);
    } else {
      chain.doFilter(request, response);
    }
  }

  /** Whether only the path decides what the request is: no body, no page, no other method. */
  private boolean isPlain(HttpServletRequest request) {
    return request.getMethod().equals("GET")
        && request.getContentLengthLong() <= 0
        && request.getHeader("Transfer-Encoding") == null
        && !(paywall && AcceptHtml.isPreferred(request.getHeader("Accept")));
  }

  private Optional<Call> call(HttpServletRequest request) {
    String below = request.getRequestURI().substring(request.getContextPath().length());
    Optional<Group> group = groups.groups().of(below).filter(one -> groups.serves(below));
    Optional<FoundRead> read = group.flatMap(one -> open.read(one, below));
    if (read.isEmpty() || !paths.isCanonical(below, request.getQueryString())) {
      return Optional.empty();
    }
    ServletExchange exchange;
    try {
      exchange = new ServletExchange(request);
    } catch (CallRefused noAddress) {
      return Optional.empty();
    }
    Addressed.note(exchange, group);
    addresses.note(exchange, request);
    return pages.flatMap(rule -> rule.refusal(exchange)).isPresent()
        ? Optional.empty()
        : Optional.ofNullable(rows.get(read.get().row()))
            .map(sold -> new Call(sold, read.get(), exchange));
  }

  private void serve(Call call, HttpServletResponse response) {
    ObservedCall seen = observation.begin(call.exchange());
    Outcome outcome = outcome(call);
    seen.answered(call.sold().observed(), outcome.answer().status());
    boolean left = false;
    try {
      write(call, outcome.answer(), response);
      left = true;
    } catch (IOException e) {
      // The caller has gone: a fault of nothing here.
      observation.cut(seen);
    } finally {
      if (outcome.paid() != null && left) {
        flow.delivered(outcome.paid());
      } else if (outcome.paid() != null) {
        flow.undelivered(outcome.paid());
      }
      outcome.incoming().close();
      observation.end(seen);
    }
  }

  private Outcome outcome(Call call) {
    IncomingCall incoming = flow.incoming(call.exchange());
    try {
      Optional<PaidCall> paid = flow.admit(incoming, call.sold().endpoint());
      if (paid.isEmpty()) {
        try (incoming) {
          return new Outcome(run(call, paid), incoming, null);
        }
      }
      HttpAnswer made = paid.get().replay().orElseGet(() -> run(call, paid));
      return new Outcome(flow.conclude(paid.get(), made), incoming, paid.get());
    } catch (CallRefused refused) {
      return new Outcome(refused.answer(), incoming, null);
    } catch (RuntimeException | Error e) {
      return new Outcome(ErrorShapes.answer(call.exchange(), e), incoming, null);
    }
  }

  /** Asks the read; a failure becomes its answer, so that a claim is always concluded. */
  private static HttpAnswer run(Call call, Optional<PaidCall> paid) {
    try {
      Answer answer =
          call.read().run().apply(call.exchange().receivedQuery(), paid.map(Payment.class::cast));
      Map<String, String> headers = new LinkedHashMap<>(answer.headers());
      headers.put("Content-Type", answer.mediaType());
      if (!answer.charged()) {
        headers.put(Payment.UNCHARGED, "true");
      }
      return new HttpAnswer(answer.status(), headers, answer.body());
    } catch (RuntimeException | Error e) {
      return ErrorShapes.answer(call.exchange(), e);
    }
  }

  private void write(Call call, HttpAnswer answer, HttpServletResponse response)
      throws IOException {
    Map<String, String> headers = new LinkedHashMap<>(answer.headers());
    BiConsumer<String, String> header =
        (name, value) -> headers.merge(name, value, (one, other) -> one + ", " + other);
    cors.put(call.exchange(), header);
    standard.put(call.exchange(), header);
    byte[] body = answer.body();
    if (compression.isPresent() && body.length > 0) {
      body = compression.get().fit(call.exchange(), body, header);
    }
    response.setStatus(answer.status());
    headers.forEach(response::setHeader);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.getOutputStream().close();
  }
}
