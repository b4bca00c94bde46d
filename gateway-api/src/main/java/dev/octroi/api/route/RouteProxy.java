package dev.octroi.api.route;

import dev.octroi.api.error.ErrorShapes;
import dev.octroi.api.error.RequestId;
import dev.octroi.api.group.GroupContext.CallDeadlines;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.settings.RouteSettings;
import dev.octroi.api.settings.RouteSettings.Moment;
import dev.octroi.api.settings.RouteSettings.Redirects;
import dev.octroi.payments.CallFailure;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectRunner.EffectResult;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.ProxyAnswer;
import dev.octroi.services.upstream.ProxyRequest;
import dev.octroi.services.upstream.ProxyRequest.Body;
import dev.octroi.services.upstream.ProxyRequest.Header;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamStream.BrokenStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Passes the requests of a route on, and its answers back: the same method, path, query and bytes,
 * without what belongs to a connection, pays, or says who asks. Thread-safe.
 */
final class RouteProxy {

  /** Below what the server before it can send, receipt included. */
  private static final int LONGEST_HEAD = 16 << 10;

  private static final int CHUNK = 16 << 10;
  private static final int PART = 206;
  private static final int UNCHANGED = 304;
  private static final int PAYMENT_REQUIRED = 402;
  private static final int PROXY_REFUSES = 407;
  private static final int NOT_WHOLE = 502;

  /** How long answers are kept that did not arrive, at most (money rule 4). */
  private static final Duration KEPT = Duration.ofMinutes(10);

  /** What became of the money of a call that failed after it was paid for: paid back, or owed. */
  private static final String REFUND = "X-Payment-Refund";

  private final Route route;
  private final UpstreamClient client;
  private final Optional<RouteCache> cache;
  private final Surroundings around;
  private final HeaderRules request;
  private final HeaderRules answer;

  /**
   * What all routes share.
   *
   * @param urls tells the addresses by which the world knows the application
   * @param effects pays for calls before the server is asked, and gives back what failed
   */
  record Surroundings(ResourceUrl urls, CallDeadlines deadlines, EffectRunner effects) {}

  /**
   * @param ownCors whether the gateway itself says which pages may read answers
   */
  RouteProxy(
      Route route,
      UpstreamClient client,
      Optional<RouteCache> cache,
      Surroundings around,
      boolean ownCors) {
    this.route = route;
    this.client = client;
    this.cache = cache;
    this.around = around;
    RouteSettings settings = route.settings();
    this.request = HeaderRules.of(settings.requestHeaders(), settings.header().keySet());
    this.answer = answers(settings, ownCors);
  }

  /** A metered server's charge always reaches the flow of payments, which keeps it. */
  private static HeaderRules answers(RouteSettings settings, boolean ownCors) {
    List<String> passed = new ArrayList<>(settings.responseHeaders());
    Set<String> replaced = new HashSet<>(ownCors ? OWN_CORS : Set.of());
    (settings.metered() ? passed : replaced).add(Payment.OVERRIDES);
    return HeaderRules.of(passed, replaced);
  }

  private static final Set<String> OWN_CORS =
      Set.of(
          "Access-Control-Allow-Origin",
          "Access-Control-Allow-Credentials",
          "Access-Control-Allow-Headers",
          "Access-Control-Allow-Methods",
          "Access-Control-Expose-Headers",
          "Access-Control-Max-Age");

  /**
   * One call.
   *
   * @param payment what pays for it; empty if it is free
   * @param path below the application
   */
  record Call(
      Exchange exchange,
      HttpServletRequest request,
      String path,
      Optional<Payment> payment,
      Optional<Body> body) {

    boolean isPaid() {
      return payment.isPresent();
    }
  }

  /** What asks the server. */
  UpstreamClient client() {
    return client;
  }

  /** Answers a call: by the server's answer, or by an error of the gateway's. */
  void serve(Call call, HttpServletResponse response) throws IOException {
    try {
      if (call.isPaid() && route.settings().settle() == Moment.BEFORE) {
        paidBefore(call, call.payment().get(), response);
      } else {
        try (Passed passed = passed(call)) {
          passed.settleIfStreams();
          passed.write(response);
        }
      }
    } catch (Failure failure) {
      response.resetBuffer();
      write(ErrorShapes.answer(call.exchange(), failure), response);
    }
  }

  private static void write(HttpAnswer error, HttpServletResponse response) throws IOException {
    response.setStatus(error.status());
    error.headers().forEach(response::setHeader);
    response.getOutputStream().write(error.body());
  }

  /**
   * The money moves, then the server is asked. What certainly is no answer is refunded, and so is
   * what was lost with the node that asked.
   */
  private void paidBefore(Call call, Payment payment, HttpServletResponse response)
      throws IOException {
    Before before = new Before(call, response);
    try {
      EffectResult result =
          around
              .effects()
              .perform(payment, call.exchange().method() + " " + call.path(), before::attempt);
      before.end(result);
    } finally {
      before.close();
    }
  }

  /** A call that was paid for before. Used by one thread. */
  private final class Before {

    private final Call call;
    private final HttpServletResponse response;
    private @Nullable Passed passed;
    private @Nullable Failure failure;

    Before(Call call, HttpServletResponse response) {
      this.call = call;
      this.response = response;
    }

    Attempt attempt(Effect effect) {
      try {
        Passed asked = passed(call);
        passed = asked;
        if (!asked.isCharged()) {
          return new Attempt.NotDone("the server answered " + asked.status());
        }
        if (!route.settings().streaming()) {
          // What is written is held back as long as it is no success: until it is whole.
          response.setStatus(NOT_WHOLE);
          asked.writeBody(response);
        }
        return new Attempt.Done(Integer.toString(asked.status()), "");
      } catch (Failure broken) {
        failure = broken;
        return new Attempt.NotDone(String.valueOf(broken.getMessage()));
      } catch (IOException gone) {
        failure =
            new Failure(ErrorCode.UPSTREAM_FAILED, "The answer could not be kept", null, gone);
        return new Attempt.NotDone("the answer could not be kept");
      }
    }

    void end(EffectResult result) throws IOException {
      Passed asked = passed;
      if (result instanceof EffectResult.Done && asked != null && failure == null) {
        asked.writeHead(response);
        if (route.settings().streaming()) {
          asked.stream(response);
        }
        return;
      }
      if (result instanceof EffectResult.Unknown) {
        throw new Failure(
            ErrorCode.UPSTREAM_UNAVAILABLE,
            "It is not known yet what became of the call. Send the same request with the same"
                + " payment again.",
            Duration.ofSeconds(1),
            null);
      }
      if (result instanceof EffectResult.Done done && asked == null && isOver(done.effect())) {
        throw failed("The server's answer is kept no longer");
      }
      Optional<Refund> refund =
          result instanceof EffectResult.Failed failed
              ? failed.refund()
              : around
                  .effects()
                  .refund(((EffectResult.Done) result).effect(), "the answer is lost");
      response.setHeader(
          REFUND,
          refund.filter(one -> one.state() == Refund.State.PAID).map(one -> "paid").orElse("owed"));
      if (asked != null && failure == null) {
        asked.write(response);
      } else {
        throw failure != null
            ? failure
            : new Failure(ErrorCode.UPSTREAM_FAILED, "The server gave no answer");
      }
    }

    /**
     * Whether an answer that left would be kept no longer: of what is not kept then, it is not
     * known any more whether it left, and who took all of it but its end would have it for nothing.
     */
    private boolean isOver(Effect effect) {
      return effect.begun().plus(KEPT).isBefore(around.deadlines().clock().instant());
    }

    void close() {
      if (passed != null) {
        passed.close();
      }
    }
  }

  /** Asks the server, or finds its answer kept. */
  private Passed passed(Call call) {
    String query = call.exchange().receivedQuery();
    String target = route.forwarded(call.path(), query == null ? "" : "?" + query);
    List<Header> callers = callers(call);
    String payer = call.payment().map(Payment::owner).orElse("");
    boolean keeps = cache.isPresent() && call.isPaid() && call.exchange().method().equals("GET");
    Optional<RouteCache.Kept> kept =
        keeps ? cache.get().find(target, payer, callers) : Optional.empty();
    if (kept.isPresent()) {
      return new Passed(call, kept.get());
    }
    Passed asked =
        new Passed(call, client.forward(forwarded(call, target, callers), deadline(call)));
    if (keeps) {
      asked.keep =
          (headers, body) ->
              cache.get().keep(target, payer, callers, asked.answered(), headers, body);
    }
    return asked;
  }

  private Deadline deadline(Call call) {
    Duration whole =
        route.settings().streaming()
            ? route.settings().deadline().plus(route.settings().streamTime())
            : route.settings().deadline();
    return route.settings().streaming()
        ? Deadline.in(whole)
        : around.deadlines().of(call.payment(), whole);
  }

  private ProxyRequest forwarded(Call call, String target, List<Header> callers) {
    List<Header> headers = new ArrayList<>(callers);
    route
        .settings()
        .header()
        .forEach((name, value) -> headers.add(new Header(name, value.value())));
    ours(call, headers);
    RouteSettings settings = route.settings();
    Duration first = around.deadlines().of(call.payment(), settings.deadline()).remaining();
    String method = call.exchange().method();
    boolean reads = method.equals("GET") || method.equals("HEAD");
    return new ProxyRequest(
        method,
        target,
        headers,
        call.body(),
        reads && call.body().isEmpty(),
        first,
        settings.deadline());
  }

  private List<Header> callers(Call call) {
    HttpServletRequest received = call.request();
    Set<String> named = HeaderRules.named(Collections.list(received.getHeaders("Connection")));
    List<Header> headers = new ArrayList<>();
    for (String name : Collections.list(received.getHeaderNames())) {
      for (String value : Collections.list(received.getHeaders(name))) {
        if (isPlain(value) && request.toServer(name, value, named, call.isPaid())) {
          headers.add(new Header(name, value));
        }
      }
    }
    return headers;
  }

  /** What else would be spelled in another way on its way. */
  private static boolean isPlain(String value) {
    return value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 0x7f));
  }

  /** Who asks, what for and from where, as the gateway knows it. */
  private void ours(Call call, List<Header> headers) {
    URI base = URI.create(around.urls().base(call.exchange()));
    headers.add(new Header(RequestId.HEADER, RequestId.of(call.exchange())));
    String client = ClientAddress.readable(call.exchange());
    if (!client.equals("?")) {
      headers.add(new Header("X-Forwarded-For", client));
    }
    headers.add(new Header("X-Forwarded-Proto", base.getScheme()));
    headers.add(new Header("X-Forwarded-Host", base.getRawAuthority()));
    String prefix = call.exchange().contextPath() + route.base();
    if (!prefix.isEmpty()) {
      headers.add(new Header("X-Forwarded-Prefix", prefix));
    }
    call.payment()
        .ifPresent(
            payment -> {
              headers.add(new Header("X-Payer", payment.payer()));
              headers.add(new Header("X-Payment-Id", payment.id()));
              headers.add(new Header("X-Price", payment.quote().dollars()));
            });
  }

  /** Is given an answer that is whole. */
  @FunctionalInterface
  private interface Keeping {
    void keep(List<Header> headers, byte[] body);
  }

  /** What answers a call. Used by one thread. */
  private final class Passed implements AutoCloseable {

    private final Call call;
    private final @Nullable ProxyAnswer answered;
    private final RouteCache.@Nullable Kept kept;
    private final int status;
    private final List<Header> headers;
    private @Nullable Keeping keep;

    Passed(Call call, RouteCache.Kept kept) {
      this.call = call;
      this.answered = null;
      this.kept = kept;
      this.status = 200;
      this.headers = new ArrayList<>(kept.headers());
      long age =
          Duration.between(kept.since(), Instant.now(around.deadlines().clock())).toSeconds();
      headers.add(new Header("Age", Long.toString(Math.max(0, age))));
    }

    /** Throws a {@link Failure} for what cannot be passed on; nothing was charged for it then. */
    Passed(Call call, ProxyAnswer answered) {
      this.call = call;
      this.answered = answered;
      this.kept = null;
      this.status = answered.status();
      boolean made = false;
      try {
        this.headers = passedHeaders(answered);
        refuse(answered);
        if (call.isPaid() && !isCharged()) {
          CallFailure.of(call.exchange()).noteReason("The upstream answered with an error");
        }
        made = true;
      } finally {
        if (!made) {
          answered.close();
        }
      }
    }

    ProxyAnswer answered() {
      return Objects.requireNonNull(answered);
    }

    int status() {
      return status;
    }

    private void refuse(ProxyAnswer answered) {
      int length =
          headers.stream().mapToInt(one -> one.name().length() + one.value().length() + 4).sum();
      if (length > LONGEST_HEAD) {
        throw failed("The server's answer has too long a head");
      }
      if (status == PAYMENT_REQUIRED || status == PROXY_REFUSES) {
        throw failed("The server asks the gateway for a payment or a login of its own");
      }
      if (!call.isPaid()) {
        return;
      }
      if (status == PART || status == UNCHANGED) {
        throw failed("The server answered with a part of what is sold");
      }
      if (status / 100 == 3 && route.settings().redirects() == Redirects.REFUSE) {
        throw failed("The server leads elsewhere, where the gateway does not follow");
      }
      long most = route.settings().answerLimit().bytes();
      boolean whole = !route.settings().streaming() || status / 100 != 2;
      if (whole && answered.length().orElse(0) > most) {
        throw failed("The server's answer is too long");
      }
    }

    private List<Header> passedHeaders(ProxyAnswer answered) {
      Set<String> named =
          HeaderRules.named(answered.headers().getOrDefault("Connection", List.of()));
      List<Header> passed = new ArrayList<>();
      for (Map.Entry<String, List<String>> header : answered.headers().entrySet()) {
        if (answer.toCaller(header.getKey(), named, call.isPaid())) {
          for (String value : header.getValue()) {
            boolean leads = header.getKey().equalsIgnoreCase("Location");
            String told = leads ? route.relocated(value, call.exchange().contextPath()) : value;
            passed.add(new Header(header.getKey(), told));
          }
        }
      }
      return passed;
    }

    /** Whether the payer gets what it pays for. */
    boolean isCharged() {
      return status / 100 == 2 || status / 100 == 3;
    }

    /** The head of a success is there: from now on the answer is not held back. */
    void settleIfStreams() {
      if (call.isPaid() && route.settings().streaming() && isCharged()) {
        Payment payment = call.payment().get();
        if (!payment.isSettled()) {
          payment.settle();
        }
      }
    }

    /** The head last, where the body is held back until it is whole. */
    void write(HttpServletResponse response) throws IOException {
      boolean held = call.isPaid() && !(route.settings().streaming() && status / 100 == 2);
      if (held) {
        // What is no success is held back, too, where the price was settled before.
        response.setStatus(status);
        writeBody(response);
        writeHead(response);
      } else {
        writeHead(response);
        stream(response);
      }
    }

    /** The body as it comes. What breaks off then can only be cut off. */
    void stream(HttpServletResponse response) throws IOException {
      try {
        writeBody(response);
      } catch (Failure broken) {
        throw new IOException("the answer broke off", broken);
      }
    }

    void writeHead(HttpServletResponse response) {
      response.setStatus(status);
      if (status / 100 == 3 && call.isPaid()) {
        response.setHeader(Payment.CHARGED, "true");
      }
      for (Header header : headers) {
        if (header.name().equalsIgnoreCase("Content-Type")) {
          response.setContentType(header.value());
        } else {
          response.addHeader(header.name(), header.value());
        }
      }
      boolean streams = !call.isPaid() || route.settings().streaming();
      if (streams && answered != null) {
        answered
            .length()
            .ifPresent(length -> response.setHeader("Content-Length", Long.toString(length)));
      }
    }

    void writeBody(HttpServletResponse response) throws IOException {
      OutputStream out = response.getOutputStream();
      if (kept != null) {
        out.write(kept.body());
        return;
      }
      boolean streams = route.settings().streaming() && status / 100 == 2;
      long most =
          call.isPaid() && !streams ? route.settings().answerLimit().bytes() : Long.MAX_VALUE;
      Keeping keeping = keep;
      if (keeping == null || streams) {
        pass(out, most, streams, null);
        return;
      }
      try (RouteCache.Copy copy = cache.get().copy()) {
        pass(out, most, streams, copy);
        if (copy.isWhole()) {
          keeping.keep(List.copyOf(headers), copy.bytes());
        }
      }
    }

    private void pass(OutputStream out, long most, boolean streams, RouteCache.@Nullable Copy copy)
        throws IOException {
      InputStream in = answered().body();
      byte[] chunk = new byte[CHUNK];
      long come = 0;
      for (int read = next(in, chunk); read >= 0; read = next(in, chunk)) {
        come += read;
        if (come > most) {
          throw failed("The server's answer is too long");
        }
        write(out, chunk, read, call.isPaid() && !streams);
        if (copy != null) {
          copy.add(chunk, read);
        }
        if (streams && in.available() == 0) {
          out.flush();
        }
      }
    }

    private void write(OutputStream out, byte[] chunk, int length, boolean held)
        throws IOException {
      try {
        out.write(chunk, 0, length);
      } catch (IOException e) {
        if (held) {
          throw new Failure(
              ErrorCode.UPSTREAM_UNAVAILABLE,
              "There is no room for the answer at the moment",
              Duration.ofSeconds(1),
              e);
        }
        throw e;
      }
    }

    private int next(InputStream in, byte[] chunk) throws IOException {
      try {
        return in.read(chunk);
      } catch (BrokenStream broken) {
        throw broken.failure();
      }
    }

    @Override
    public void close() {
      if (answered != null) {
        answered.close();
      }
    }
  }

  private static Failure failed(String sentence) {
    return new Failure(ErrorCode.UPSTREAM_FAILED, sentence);
  }
}
