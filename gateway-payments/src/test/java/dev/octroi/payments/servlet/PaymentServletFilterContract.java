package dev.octroi.payments.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Usd;
import dev.octroi.payments.body.BodyMemory;
import dev.octroi.payments.flow.CallLimits;
import dev.octroi.payments.jaxrs.TestMoney;
import dev.octroi.payments.jaxrs.TestPayer;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the servlet face does in front of plain servlets and static files, on any server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PaymentServletFilterContract {

  private static final String SECRET = "what is sold";
  private static final long PRICE = 10_000;
  private static final int LONGEST = 1 << 20;
  private static final Duration CALL = Duration.ofSeconds(5);

  /** What a servlet of the application does. */
  @FunctionalInterface
  private interface Action {
    void run(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException;
  }

  private static final class Doing extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Action action;

    Doing(Action action) {
      this.action = action;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      action.run(request, response);
    }
  }

  private final TestMoney money = new TestMoney();
  private final AtomicInteger runs = new AtomicInteger();
  private final ServletServer server = server();
  private Payments payments;
  private TestPayer payer;
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile boolean cut;

  abstract ServletServer server();

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("files"));
    Files.writeString(folder.resolve("files/a.txt"), SECRET);
    Files.writeString(folder.resolve("files/index.html"), SECRET);
    Files.createDirectories(folder.resolve("door"));
    Files.writeString(folder.resolve("door/index.html"), SECRET);
    Files.createDirectories(folder.resolve("shelf"));
    Files.writeString(folder.resolve("shelf/a.txt"), SECRET);
    Payments.Builder builder = Payments.builder().ledger(money.ledger());
    TestMoney.options().forEach(builder::accept);
    money.facilitators().forEach(builder::facilitator);
    CallLimits usual = CallLimits.defaults();
    payments =
        builder
            .limits(
                new CallLimits(
                    CALL,
                    LONGEST,
                    usual.bodiesInMemory(),
                    usual.pace(),
                    usual.bodiesAwaited(),
                    LONGEST,
                    usual.spill()))
            .build();
    server.start(this::deploy, folder, "/error-page");
  }

  @AfterAll
  void close() throws Exception {
    server.stop();
    payments.close();
    money.close();
  }

  @Test
  void whatTellsOfThePaymentIsSaidByTheGatewayAlone() {
    HttpResponse<String> answer = payer.buy("paid/poses");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().allValues(PaymentHeaders.PRICE_AMOUNT)).containsExactly("0.010000");
    assertThat(answer.headers().map())
        .containsKeys("x-count", "x-since", "payment-response", "x-payment-id")
        .doesNotContainKeys("x-payment-state", "payment-required", "x-payment-response");
    assertThat(answer.headers().map().values())
        .noneMatch(values -> values.contains("theirs") || values.contains("4711"));
  }

  @BeforeEach
  void aNewPayer() {
    payer = new TestPayer(server.base());
    runs.set(0);
    gate = new CountDownLatch(0);
    cut = false;
    money.settlesElsewhere();
  }

  private static PathPrices prices() {
    return new PathPrices()
        .paid("/paid/*", "0.01")
        .paid("/files/*", "0.01")
        .paid("/door/index.html", "0.01")
        .free("/paid/free")
        .paid("GET", "/method", "0.01")
        .paid("GET", "/reads", "0.01")
        .free("/reads")
        .paid("GET", "/shelf/a.txt", "0.01")
        .free("/shelf/*")
        .paid("/loose/text", "0.01")
        .paid("*.csv", "0.01")
        .paid(null, "/paid/sends-on", request -> Usd.parse("0.01"), Settle.AFTER, Redelivery.REREAD)
        .paid(
            null,
            "/paid/by-query",
            request -> Usd.parse("0.01").times(request.queryParameters().size()),
            Settle.AFTER,
            Redelivery.STORED)
        .paid(null, "/paid/gratis", request -> Usd.ZERO, Settle.AFTER, Redelivery.STORED)
        .paid(null, "/paid/stream", request -> Usd.parse("0.01"), Settle.BEFORE, Redelivery.RESUMED)
        .paid(
            null,
            "/paid/refuses-late",
            request -> Usd.parse("0.01"),
            Settle.BEFORE,
            Redelivery.RESUMED);
  }

  private void deploy(ServletContext application) {
    application
        .addFilter("connection", (Filter) this::connection)
        .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/paid/sends-on");
    new PaymentServletFilter(payments, prices()).register(application);
    Map<String, Action> actions = new TreeMap<>();
    actions.put("/paid/text", (request, response) -> text(response, SECRET));
    actions.put("/paid/free", (request, response) -> text(response, "nothing"));
    actions.put("/method", (request, response) -> text(response, SECRET));
    actions.put("/reads", (request, response) -> text(response, SECRET));
    actions.put("/paid/json", (request, response) -> json(response));
    actions.put(
        "/paid/who",
        (request, response) ->
            text(response, Payment.of(request.getUserPrincipal()).orElseThrow().payer()));
    actions.put("/paid/flushes", this::flushes);
    actions.put("/paid/async", this::async);
    actions.put("/paid/dispatches", this::dispatches);
    actions.put("/paid/listens", this::listens);
    actions.put("/paid/unwraps", (request, response) -> async(received(request), response));
    actions.put("/paid/unwraps-and-dispatches", this::unwrapsAndDispatches);
    actions.put("/paid/late", (request, response) -> request.startAsync().setTimeout(200));
    actions.put("/paid/missing", (request, response) -> response.sendError(404));
    actions.put("/paid/moved", (request, response) -> response.sendRedirect("text"));
    actions.put("/paid/poses", PaymentServletFilterContract::poses);
    actions.put("/paid/breaks", PaymentServletFilterContract::breaks);
    actions.put("/error-page", (request, response) -> text(response, "the page of errors"));
    actions.put("/paid/forwards", (request, response) -> forward(request, response, "/paid/text"));
    actions.put("/open/forwards", (request, response) -> forward(request, response, "/paid/text"));
    actions.put("/open/includes", this::includes);
    actions.put("/paid/includes", this::includes);
    actions.put("/paid/long", (request, response) -> letters(response, LONGEST - 1));
    actions.put("/paid/endless", (request, response) -> letters(response, LONGEST + 1));
    actions.put("/paid/form", PaymentServletFilterContract::form);
    actions.put("/paid/parts", PaymentServletFilterContract::parts);
    actions.put("/paid/reads", PaymentServletFilterContract::reads);
    actions.put("/paid/stream", this::stream);
    actions.put("/paid/slow", this::slow);
    actions.put("/paid/settles", PaymentServletFilterContract::settles);
    actions.put("/paid/sends-on", PaymentServletFilterContract::sendsOn);
    actions.put("/paid/gratis", PaymentServletFilterContract::refuses);
    actions.put("/paid/refuses-late", PaymentServletFilterContract::refusesLate);
    // As JAX-RS does, it takes a slash at the end of a path for nothing.
    actions.put("/loose/*", (request, response) -> text(response, SECRET));
    actions.forEach(
        (path, action) -> {
          ServletRegistration.Dynamic servlet =
              application.addServlet(path, new Doing(counted(action)));
          servlet.setAsyncSupported(true);
          servlet.addMapping(path);
        });
  }

  private Action counted(Action action) {
    return (request, response) -> {
      runs.incrementAndGet();
      action.run(request, response);
    };
  }

  private static void text(HttpServletResponse response, String text) throws IOException {
    response.setContentType("text/plain");
    response.getWriter().write(text);
  }

  private static void json(HttpServletResponse response) throws IOException {
    response.setContentType("application/json");
    response.getOutputStream().write("{\"a\":1}".getBytes(UTF_8));
  }

  private void flushes(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    text(response, SECRET);
    response.getWriter().flush();
    response.flushBuffer();
    pass();
  }

  private void async(HttpServletRequest request, HttpServletResponse response) {
    AsyncContext context = request.startAsync(request, response);
    new Thread(
            () -> {
              try {
                text((HttpServletResponse) context.getResponse(), SECRET);
                context.getResponse().flushBuffer();
              } catch (IOException e) {
                throw new AssertionError(e);
              } finally {
                context.complete();
              }
            })
        .start();
  }

  private void dispatches(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getAttribute("dispatched") == null) {
      request.setAttribute("dispatched", true);
      request.startAsync().dispatch();
    } else {
      text(response, SECRET);
    }
  }

  /** The request of the container, behind the one that the filter gives. */
  private static HttpServletRequest received(HttpServletRequest request) {
    return (HttpServletRequest) ((ServletRequestWrapper) request).getRequest();
  }

  private void unwrapsAndDispatches(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getAttribute("dispatched") == null) {
      request.setAttribute("dispatched", true);
      received(request).startAsync().dispatch();
    } else {
      text(response, SECRET);
    }
  }

  private void listens(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    AsyncContext context = request.startAsync();
    ServletOutputStream out = context.getResponse().getOutputStream();
    out.setWriteListener(
        new WriteListener() {
          @Override
          public void onWritePossible() throws IOException {
            if (out.isReady()) {
              out.write(SECRET.getBytes(UTF_8));
            }
            context.complete();
          }

          @Override
          public void onError(Throwable thrown) {
            context.complete();
          }
        });
  }

  /** Speaks as if it were who is paid. */
  private static void poses(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    for (String name : PaymentHeaders.OF_ANSWERS) {
      response.setHeader(name, "theirs");
      response.addHeader(name.toLowerCase(Locale.ROOT), "theirs");
      response.setIntHeader(name, 4711);
      response.addIntHeader(name, 4711);
      response.setDateHeader(name, 0);
      response.addDateHeader(name, 0);
    }
    response.setIntHeader("X-Count", 1);
    response.setDateHeader("X-Since", 0);
    text(response, SECRET);
  }

  private static void breaks(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    text(response, SECRET);
    throw new IllegalStateException("the application broke");
  }

  private static void forward(HttpServletRequest request, HttpServletResponse response, String path)
      throws IOException, ServletException {
    request.getRequestDispatcher(path).forward(request, response);
  }

  private void includes(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    request.getRequestDispatcher("/paid/text").include(request, response);
  }

  private static void letters(HttpServletResponse response, int count) throws IOException {
    byte[] some = "x".repeat(1 << 14).getBytes(UTF_8);
    for (int left = count; left > 0; left -= some.length) {
      response.getOutputStream().write(some, 0, Math.min(left, some.length));
    }
  }

  private static void form(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    text(response, String.join("+", request.getParameterValues("a")));
  }

  private static void parts(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    String file = new String(request.getPart("file").getInputStream().readAllBytes(), UTF_8);
    String name = request.getPart("file").getSubmittedFileName();
    text(response, request.getParameter("a") + " " + name + " " + file);
  }

  private static void reads(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    text(response, request.getReader().readLine());
  }

  private void stream(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setContentType("text/plain");
    ServletOutputStream out = response.getOutputStream();
    out.write("one ".getBytes(UTF_8));
    response.flushBuffer();
    pass();
    out.write("two".getBytes(UTF_8));
  }

  private void slow(HttpServletRequest request, HttpServletResponse response) throws IOException {
    pass();
    text(response, SECRET);
  }

  private static void settles(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Payment.of(request.getUserPrincipal()).orElseThrow().settle();
    text(response, SECRET);
  }

  private static void sendsOn(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Payment.of(request.getUserPrincipal()).orElseThrow().settle();
    response.setStatus(303);
    text(response, "see there");
  }

  private static void refuses(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    text(response, SECRET);
    throw new CallRefused(HttpAnswer.error(409, "not now"));
  }

  private static void refusesLate(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    text(response, "one ");
    response.flushBuffer();
    throw new CallRefused(HttpAnswer.error(409, "not now"));
  }

  /** What lies between the filter and the caller, which breaks while it is cut. */
  private void connection(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    ServletOutputStream real = response.getOutputStream();
    ServletOutputStream breaking =
        new ServletOutputStream() {
          @Override
          public void write(int b) throws IOException {
            if (cut) {
              throw new IOException("the connection is cut");
            }
            real.write(b);
          }

          @Override
          public void flush() throws IOException {
            real.flush();
          }

          @Override
          public boolean isReady() {
            return true;
          }

          @Override
          public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
          }
        };
    chain.doFilter(
        request,
        new HttpServletResponseWrapper((HttpServletResponse) response) {
          @Override
          public ServletOutputStream getOutputStream() {
            return breaking;
          }
        });
  }

  private void pass() {
    try {
      assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long spent() {
    return 1_000_000_000L - money.balance(payer.address());
  }

  private void assertSold(HttpResponse<String> answer, String body) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(body);
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isPresent();
    assertThat(spent()).isEqualTo(PRICE);
  }

  private void assertNotSold(HttpResponse<String> answer) {
    assertThat(answer.body()).doesNotContain(SECRET);
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isEmpty();
    assertThat(spent()).isZero();
    await().until(() -> payments.callsInFlight() == 0);
  }

  @Test
  void withoutAPaymentThereIsAChallengeAndTheServletDoesNotRun() {
    HttpResponse<String> answer = payer.get("paid/text");

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isPresent();
    assertThat(runs).hasValue(0);
  }

  @Test
  void aPaymentBuysTheAnswerOnce() {
    String payment = payer.payment("paid/text");
    assertSold(payer.get("paid/text", payment), SECRET);

    await().until(() -> payer.get("paid/text", payment).statusCode() == 402);
    assertThat(spent()).isEqualTo(PRICE);
    assertThat(runs).hasValue(1);
  }

  @Test
  void thePriceIsAMemberOfAnAnswerInJson() {
    assertThat(payer.buy("paid/json").body())
        .isEqualTo("{\"a\":1,\"price\":{\"amount\":\"0.010000\",\"currency\":\"USD\"}}");
  }

  @Test
  void whatIsFreeBelowWhatIsPaidCostsNothing() {
    assertThat(payer.get("paid/free").body()).isEqualTo("nothing");
    assertThat(payer.get("open/none").statusCode()).isEqualTo(404);
  }

  @Test
  void aMethodThatHasNoPriceIsFreeAndHeadIsRefused() {
    assertThat(payer.get("method").statusCode()).isEqualTo(402);
    HttpRequest.Builder head = payer.to("method").method("HEAD", BodyPublishers.noBody());
    assertThat(payer.send(head).statusCode()).isEqualTo(405);
    HttpRequest.Builder put = payer.to("method").PUT(BodyPublishers.noBody());
    assertThat(payer.send(put).statusCode()).isEqualTo(200);
  }

  /** As the file servlets of some containers do: they answer either by the file. */
  @Test
  void aPostCostsWhatTheGetOfItsPathCostsUnlessTheSamePathIsFree() {
    for (String path : List.of("method", "shelf/a.txt")) {
      HttpRequest.Builder post = payer.to(path).POST(BodyPublishers.noBody());
      assertThat(payer.send(post).statusCode()).as(path).isEqualTo(402);
    }
    HttpRequest.Builder free = payer.to("reads").POST(BodyPublishers.noBody());
    assertThat(payer.send(free).statusCode()).isEqualTo(200);
    assertThat(payer.get("reads").statusCode()).isEqualTo(402);
  }

  @Test
  void theServletKnowsItsPayer() {
    assertThat(payer.buy("paid/who").body()).isEqualTo(payer.address().toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "paid/flushes",
        "paid/async",
        "paid/dispatches",
        "paid/unwraps-and-dispatches",
        "paid/listens"
      })
  void whateverWayItIsWrittenTheAnswerIsClaimedOnceAndCharged(String path) {
    String payment = payer.payment(path);

    assertSold(payer.get(path, payment), SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "paid/text",
        "paid/flushes",
        "paid/async",
        "paid/dispatches",
        "paid/listens",
        "paid/forwards",
        "paid/includes",
        "paid/long",
        "paid/settles",
        "files/a.txt"
      })
  void notAByteLeavesWhereTheMoneyDoesNotMove(String path) {
    money.refusesElsewhere();
    String payment = payer.payment(payer.get(path), TestMoney.ELSEWHERE);

    HttpResponse<String> answer = payer.get(path, payment);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.body()).doesNotContain(SECRET).doesNotContain("xxx");
    assertThat(answer.headers().firstValue("ETag")).isEmpty();
  }

  @Test
  void whatAnApplicationNeverEndsIsNotSold() {
    String payment = payer.payment("paid/late");

    HttpResponse<String> answer = payer.get("paid/late", payment);

    assertThat(answer.statusCode()).isEqualTo(500);
    assertNotSold(answer);
  }

  @Test
  void whatIsCompletedPastTheFilterIsNotSold() {
    String payment = payer.payment("paid/unwraps");

    assertNotSold(payer.get("paid/unwraps", payment));
    // The same payment is as good as before.
    assertNotSold(payer.get("paid/unwraps", payment));
    assertThat(runs).hasValue(2);
  }

  @Test
  void anErrorIsNotChargedAndItsPageIsTheApplications() {
    String payment = payer.payment("paid/missing");

    HttpResponse<String> answer = payer.get("paid/missing", payment);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("the page of errors");
    assertNotSold(answer);
    // The same payment is as good as before.
    assertThat(payer.get("paid/missing", payment).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"paid/breaks", "paid/endless"})
  void whatTheApplicationDidNotFinishIsNotCharged(String path) {
    HttpResponse<String> answer = payer.buy(path);

    assertThat(answer.statusCode()).isEqualTo(500);
    assertNotSold(answer);
  }

  @Test
  void aRedirectionIsNotCharged() {
    HttpResponse<String> answer = payer.buy("paid/moved");

    assertThat(answer.statusCode()).isEqualTo(302);
    assertNotSold(answer);
  }

  @Test
  void aPaidPathThatForwardsToAnotherCostsWhatItCosts() {
    assertSold(payer.buy("paid/forwards"), SECRET);
  }

  @Test
  void aPaidPathMayIncludeAnother() {
    assertSold(payer.buy("paid/includes"), SECRET);
  }

  @Test
  void aPathThatIsFreeForwardsToAChallenge() {
    HttpResponse<String> answer = payer.get("open/forwards");

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.body()).doesNotContain(SECRET);
    assertSold(payer.buy("open/forwards"), SECRET);
  }

  @Test
  void aPathThatIsFreeIncludesNothingThatIsPaid() {
    HttpResponse<String> answer = payer.get("open/includes");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertNotSold(answer);
  }

  @Test
  void aLongAnswerIsHeldOnDiskAndSoldWhole() {
    HttpResponse<String> answer = payer.buy("paid/long");

    assertThat(answer.body()).hasSize(LONGEST - 1);
    assertThat(spent()).isEqualTo(PRICE);
  }

  @Test
  void anAnswerForWhichThereIsNoMemoryIsNotChargedAndAskedForAgain() {
    BodyMemory memory = payments.bodies().working();
    long others = memory.takeForAnswer(memory.whole(), 0);
    String payment = payer.payment("paid/long");
    try {
      HttpResponse<String> answer = payer.get("paid/long", payment);

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
      assertNotSold(answer);
    } finally {
      memory.give(others);
    }
    assertThat(payer.get("paid/long", payment).body()).hasSize(LONGEST - 1);
    assertThat(spent()).isEqualTo(PRICE);
    await().until(() -> memory.left() == memory.whole());
  }

  @Test
  void aFormThatWasReadForThePaymentIsThereForTheServlet() {
    HttpRequest.Builder form =
        payer
            .to("paid/form?a=0")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("a=1&b=2&a=%C3%A9"));
    String payment = payer.payment(payer.send(form), TestMoney.HERE);

    assertSold(payer.send(form.header(PaymentHeaders.PAYMENT_SIGNATURE, payment)), "0+1+é");
  }

  @Test
  void parametersWithoutNumberAreTheCallersFault() {
    String many = "a=1&".repeat(1001);
    assertThat(payer.get("paid/by-query?" + many).statusCode()).isEqualTo(400);

    HttpRequest.Builder form =
        payer
            .to("paid/form")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(many));
    String payment = payer.payment(payer.send(form), TestMoney.HERE);
    HttpResponse<String> answer =
        payer.send(form.header(PaymentHeaders.PAYMENT_SIGNATURE, payment));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertNotSold(answer);
  }

  @Test
  void thePartsOfAFormAreThere() {
    String body =
        "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nfield\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\nof a file\r\n--b--\r\n";
    HttpRequest.Builder form =
        payer
            .to("paid/parts")
            .header("Content-Type", "multipart/form-data; boundary=b")
            .POST(BodyPublishers.ofString(body));
    String payment = payer.payment(payer.send(form), TestMoney.HERE);

    assertSold(
        payer.send(form.header(PaymentHeaders.PAYMENT_SIGNATURE, payment)),
        "field f.txt of a file");
  }

  @Test
  void aPaymentIsBoundToItsBody() {
    String payment = payer.payment(post("one", ""), TestMoney.HERE);
    money.refusesElsewhere();
    assertThat(post("one", payment).body()).isEqualTo("one");

    assertThat(post("two", payment).statusCode()).isEqualTo(402);
    assertThat(spent()).isEqualTo(PRICE);
  }

  private HttpResponse<String> post(String body, String payment) {
    HttpRequest.Builder request = payer.to("paid/reads").POST(BodyPublishers.ofString(body));
    return payer.send(
        payment.isEmpty() ? request : request.header(PaymentHeaders.PAYMENT_SIGNATURE, payment));
  }

  @Test
  void whereThePriceIsSettledBeforeBytesLeaveAsTheyAreWritten() throws IOException {
    gate = new CountDownLatch(1);
    HttpResponse<InputStream> answer = payer.open("paid/stream", payer.payment("paid/stream"));

    assertThat(new String(answer.body().readNBytes(4), UTF_8)).isEqualTo("one ");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isPresent();
    assertThat(spent()).isEqualTo(PRICE);
    gate.countDown();
    assertThat(new String(answer.body().readAllBytes(), UTF_8)).isEqualTo("two");
  }

  @Test
  void aStreamWhoseMoneyDoesNotMoveNeverBegins() {
    money.refusesElsewhere();
    String payment = payer.payment(payer.get("paid/stream"), TestMoney.ELSEWHERE);

    assertThat(payer.get("paid/stream", payment).statusCode()).isEqualTo(402);
    assertThat(runs).hasValue(0);
  }

  @Test
  void staticFilesAreSoldInPartsAndNotForAValidator() {
    String all = payer.payment("files/a.txt");
    HttpResponse<String> whole = payer.get("files/a.txt", all);
    assertThat(whole.body()).isEqualTo(SECRET);

    String part = payer.payment("files/a.txt");
    HttpResponse<String> range =
        payer.send(
            payer
                .to("files/a.txt")
                .header("Range", "bytes=0-3")
                .header(PaymentHeaders.PAYMENT_SIGNATURE, part));
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(range.body()).isEqualTo(SECRET.substring(0, 4));
    assertThat(spent()).isEqualTo(2 * PRICE);

    String modified = whole.headers().firstValue("Last-Modified").orElseThrow();
    HttpResponse<String> same =
        payer.send(
            payer
                .to("files/a.txt")
                .header("If-Modified-Since", modified)
                .header(PaymentHeaders.PAYMENT_SIGNATURE, payer.payment("files/a.txt")));
    assertThat(same.statusCode()).isEqualTo(304);
    assertThat(spent()).isEqualTo(2 * PRICE);
  }

  /** However a path is spelled, what it leads to is never had for nothing. */
  @Test
  void noSpellingOfAPathLeadsPastThePrice() throws IOException {
    List<String> had = new ArrayList<>();
    for (String target :
        List.of(
            "/shop/files/a.txt",
            "/shop/FILES/a.txt",
            "/shop/files/A.TXT",
            "/shop/files;x=1/a.txt",
            "/shop/files/a.txt;jsessionid=1",
            "/shop/files/;/a.txt",
            "/shop//files/a.txt",
            "/shop/files//a.txt",
            "/shop/./files/a.txt",
            "/shop/x/../files/a.txt",
            "/shop/%66iles/a.txt",
            "/shop/files%2fa.txt",
            "/shop/files/%61.txt",
            "/shop/files/",
            "/shop/files",
            "/shop/files/index.html",
            "/shop/door/",
            "/shop/door",
            "/shop/DOOR/",
            "/shop/door//",
            "/shop/door/index.html",
            "/shop/door/./index.html",
            "/shop/files/a.txt/",
            "/shop/files/a.txt%00",
            "/shop/files\\a.txt",
            "http://127.0.0.1/shop/files/a.txt")) {
      String answer = raw("GET " + target + " HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
      if (answer.contains(SECRET)) {
        had.add(target + ": " + answer);
      }
    }
    assertThat(had).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "GET", "Get", "POST", "TRACE", "FOO"})
  void noMethodLeadsPastThePrice(String method) throws IOException {
    assertThat(raw(method + " /shop/paid/text HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"))
        .doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "loose/text",
        "loose/text/",
        "loose/text//",
        "loose/text/;x=1",
        "loose/text;x=1/",
        "loose/TEXT/",
        "loose/a.csv",
        "loose/a.csv/",
        "loose/a.csv/."
      })
  void noSlashAtItsEndLeadsPastThePriceOfAPath(String path) throws IOException {
    assertThat(raw("GET /shop/" + path + " HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"))
        .doesNotContain(SECRET);
    assertThat(raw("GET /shop/loose/other HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"))
        .contains(SECRET);
  }

  @Test
  void aWebSocketIsNotSold() throws IOException {
    String answer =
        raw(
            "GET /shop/paid/text HTTP/1.1\r\nHost: shop\r\nConnection: Upgrade, close\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 400");
  }

  @Test
  void aClientThatLeavesIsChargedOnceAndMayHaveItsAnswer() throws IOException {
    gate = new CountDownLatch(1);
    String payment = payer.payment("paid/slow");
    try (Socket socket = new Socket("127.0.0.1", server.base().getPort())) {
      String request =
          "GET /shop/paid/slow HTTP/1.1\r\nHost: 127.0.0.1:"
              + server.base().getPort()
              + "\r\nPAYMENT-SIGNATURE: "
              + payment
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(UTF_8));
      await().until(() -> runs.get() == 1);
      socket.setSoLinger(true, 0);
    }
    gate.countDown();
    await().until(() -> payments.callsInFlight() == 0);

    HttpResponse<String> again = payer.get("paid/slow", payment);

    // A server that had not seen it leave takes the answer for delivered.
    assertThat(again.statusCode()).isIn(200, 402);
    assertThat(spent()).isEqualTo(PRICE);
    assertThat(runs).hasValue(1);
  }

  @Test
  void anAnswerWithoutASaleThatDidNotArriveLeavesASettledPaymentGood() {
    String payment = payer.payment("paid/sends-on");
    cut = true;
    try {
      payer.get("paid/sends-on", payment);
    } catch (UncheckedIOException e) {
      assertThat(e).hasRootCauseInstanceOf(IOException.class);
    }
    await().until(() -> payments.callsInFlight() == 0);
    cut = false;

    HttpResponse<String> again = payer.get("paid/sends-on", payment);

    assertThat(again.body()).isEqualTo("see there");
    assertThat(runs).hasValue(2);
    assertThat(spent()).isEqualTo(PRICE);
  }

  @Test
  void whatAFreeCallIsRefusedWithIsAllThatItGets() {
    HttpResponse<String> answer = payer.get("paid/gratis");

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).contains("not now").doesNotContain(SECRET);
  }

  @Test
  void aRefusalIsNotAddedToAStreamThatHasBegun() throws IOException {
    String payment = payer.payment("paid/refuses-late");

    String answer = raw("paid/refuses-late", payment);

    assertThat(answer).contains("one ").doesNotContain("not now");
    assertThat(spent()).isEqualTo(PRICE);
  }

  private String raw(String path, String payment) throws IOException {
    return raw(
        "GET /shop/"
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1:"
            + server.base().getPort()
            + "\r\nConnection: close\r\nPAYMENT-SIGNATURE: "
            + payment
            + "\r\n\r\n");
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.base().getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
