package dev.octroi.payments.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import dev.octroi.payments.Admission;
import dev.octroi.payments.Entitlement;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentsMisconfigured;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmSignIn;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.flow.SignIns.SignInOutcome;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import dev.octroi.payments.jaxrs.PaymentsFeature;
import dev.octroi.payments.servlet.PathPrices;
import dev.octroi.payments.servlet.PaymentServletFilter;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.solana.Base58;
import dev.octroi.payments.solana.SolanaSandbox;
import dev.octroi.payments.solana.SolanaSignIn;
import dev.octroi.payments.solana.SolanaToken;
import dev.octroi.payments.solana.SolanaWallet;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.SignInMessage;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wallets that sign in at two nodes, and what strangers make of it; over real HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SignInTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final AtomicInteger RUNS = new AtomicInteger();

  private static final EvmAddress SELLER =
      EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");

  private final List<Runnable> endings = new ArrayList<>();
  private final AtomicLong ahead = new AtomicLong();
  private final AtomicInteger unpaid = new AtomicInteger();
  private final AtomicReference<String> denied = new AtomicReference<>("");
  private HikariDataSource database;
  private URI node;
  private URI otherNode;
  private URI servlets;

  /** What is sold. */
  @Path("")
  public static class Shop {

    @GET
    @Path("report")
    @Paid("0.01")
    public String report() {
      return "report " + RUNS.incrementAndGet();
    }

    @GET
    @Path("read")
    @Paid(value = "0.01", redelivery = Redelivery.REREAD)
    public String read() {
      return "read " + RUNS.incrementAndGet();
    }

    @POST
    @Path("effect")
    @Paid(value = "0.01", settle = Settle.BEFORE)
    public String effect(String body, @Context SecurityContext security) {
      Payment.of(security.getUserPrincipal()).orElseThrow().settle();
      return body + " " + RUNS.incrementAndGet();
    }

    @GET
    @Path("owned/{owner}")
    @Paid(by = OwnedTariff.class)
    public String owned(@Context SecurityContext security) {
      return SignedInWallet.of(security.getUserPrincipal())
          .map(wallet -> "for " + wallet.payer())
          .orElse("paid");
    }
  }

  /** The price of what one payer owns. */
  public static class OwnedTariff implements Tariff {

    @Override
    public Usd price(PricedRequest request) {
      String owner = request.pathParameters().get("owner").get(0);
      request.note(new Entitlement(owner::equals));
      return Usd.parse("0.01");
    }
  }

  /** A host's own resource that wallets read for nothing. */
  @Path("account")
  public static class Account {

    private final SignIns signIns;

    Account(SignIns signIns) {
      this.signIns = signIns;
    }

    @GET
    public String account(@Context ContainerRequestContext request) {
      return signIns.reader(JaxrsExchange.of(request)).payer();
    }
  }

  @BeforeAll
  void open() {
    database = new HikariDataSource();
    database.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    H2Schema.copyTo(database);
    node = serve("a");
    otherNode = serve("b");
  }

  @AfterAll
  void close() {
    endings.forEach(Runnable::run);
    database.close();
  }

  /** A node behind the one address that all callers know; in front of it they say so. */
  private Payments payments(String name) {
    Payments payments =
        Payments.sandbox(database)
            .node(name)
            .answerKey(new byte[32])
            .clock(
                new Clock() {
                  @Override
                  public Instant instant() {
                    return Instant.now().plusSeconds(ahead.get());
                  }

                  @Override
                  public ZoneId getZone() {
                    return ZoneOffset.UTC;
                  }

                  @Override
                  public Clock withZone(ZoneId zone) {
                    return this;
                  }
                })
            .publicBaseUrl(URI.create("https://shop.example"))
            .accept(EvmToken.BASE_USDC.payableTo(SELLER, 60))
            .accept(SolanaToken.DEVNET_USDC.payableTo(SolanaWallet.generate().address(), 60))
            .facilitator(
                SolanaSandbox.facilitator(SolanaToken.DEVNET_USDC.network(), Clock.systemUTC()))
            .admission(new Counting(unpaid))
            .callers(callers())
            .protocol(ClientProtocol.DEFAULT.withSignIn(true))
            .build();
    endings.add(payments::close);
    return payments;
  }

  private URI serve(String name) {
    Payments payments = payments(name);
    ResourceConfig application =
        new ResourceConfig(Shop.class)
            .register(new Account(payments.signIns().orElseThrow()))
            .register(new PaymentsFeature(payments));
    HttpServer server =
        GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
    endings.add(0, server::shutdownNow);
    return URI.create("http://127.0.0.1:" + server.getListeners().iterator().next().getPort());
  }

  /** What one payer owns, as a servlet says whom it has for its caller. */
  private Payments serveServlet() throws Exception {
    Payments payments = payments("servlet");
    Tariff tariff =
        request -> {
          String path = request.path();
          request.note(new Entitlement(path.substring(path.lastIndexOf('/') + 1)::equals));
          return Usd.parse("0.01");
        };
    PathPrices prices =
        new PathPrices().paid(null, "/owned/*", tariff, Settle.AFTER, Redelivery.STORED);
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    ServletContextHandler context = new ServletContextHandler("/");
    context.addFilter(
        new FilterHolder(new PaymentServletFilter(payments, prices)),
        "/*",
        EnumSet.allOf(DispatcherType.class));
    context.addServlet(new ServletHolder(new Owned()), "/owned/*");
    server.setHandler(context);
    server.start();
    servlets = server.getURI();
    endings.add(
        0,
        () -> {
          try {
            server.stop();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    return payments;
  }

  /** Names its caller. */
  private static final class Owned extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String caller =
          SignedInWallet.of(request.getUserPrincipal())
              .map(wallet -> "for " + wallet.payer())
              .orElseGet(
                  () -> "paid by " + Payment.of(request.getUserPrincipal()).orElseThrow().payer());
      response.getWriter().write(caller);
    }
  }

  private Callers callers() {
    Callers anybody = Callers.anybody();
    return new Callers(
        Optional.empty(),
        (network, payer) -> !payer.equals(denied.get()),
        anybody.scopes(),
        anybody.requestIds(),
        anybody.errors());
  }

  /** Lets everything pass. */
  private record Counting(AtomicInteger count) implements Admission {

    @Override
    public void unpaid(Exchange request) {
      count.incrementAndGet();
    }

    @Override
    public Permit paid(Exchange request, Caller caller) {
      return () -> {};
    }
  }

  @Test
  void theChallengeSaysWhereAndBySayingWhatAWalletSignsInAndWritesNothing() throws Exception {
    HttpResponse<String> challenge = get(node, "/report?x=1");

    for (JsonNode said :
        List.of(JSON.readTree(challenge.body()), JSON.readTree(decoded(challengeOf(challenge))))) {
      JsonNode extension = said.at("/extensions/sign-in-with-x");
      JsonNode info = extension.get("info");
      assertThat(info.get("domain").asText()).isEqualTo("shop.example");
      assertThat(info.get("uri").asText()).isEqualTo("https://shop.example/report");
      assertThat(info.get("version").asText()).isEqualTo("1");
      assertThat(info.get("nonce").asText()).matches("[0-9a-f]{64}");
      assertThat(Instant.parse(info.get("expirationTime").asText()))
          .isEqualTo(Instant.parse(info.get("issuedAt").asText()).plusSeconds(300));
      assertThat(extension.at("/supportedChains/0/chainId").asText()).isEqualTo("eip155:8453");
      assertThat(extension.at("/supportedChains/0/type").asText()).isEqualTo("eip191");
      assertThat(extension.get("schema").isObject()).isTrue();
    }
    assertThat(header(challenge, PaymentHeaders.PAYMENT_REQUIRED).length()).isLessThan(4096);
    String far = "/report?x=" + "y".repeat(1900);
    assertThat(info(get(node, far)).get("uri").asText()).isEqualTo("https://shop.example/report");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/report?a=1", "/read?a=1"})
  void whoHasPaidHasTheSameAnswerAgainOnAnyNodeWithoutPaying(String path) throws Exception {
    Wallet wallet = Wallet.generate();
    HttpResponse<String> bought = buy(wallet, path);
    final long spent = spent(wallet);
    final int runs = RUNS.get();

    HttpResponse<String> again = signedIn(wallet, otherNode, path);
    HttpResponse<String> third = signedIn(wallet, node, path);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(bought.body()).isEqualTo(third.body());
    assertThat(header(again, PaymentHeaders.PAYMENT_ID))
        .isEqualTo(header(bought, PaymentHeaders.PAYMENT_ID));
    assertThat(header(again, "Cache-Control")).contains("private");
    assertThat(RUNS).hasValue(runs);
    assertThat(spent(wallet)).isEqualTo(spent).isEqualTo(10_000);
  }

  @Test
  void whatHasAnEffectIsShownAgainAndNotDoneAgain() throws Exception {
    Wallet wallet = Wallet.generate();
    HttpResponse<String> unpaid = send(to(node, "/effect").POST(BodyPublishers.ofString("ring")));
    HttpRequest.Builder paying =
        to(node, "/effect")
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment(wallet, unpaid))
            .POST(BodyPublishers.ofString("ring"));
    HttpResponse<String> done = send(paying);
    assertThat(done.statusCode()).isEqualTo(200);

    String signed = signed(wallet, info(unpaid), message -> {});
    HttpResponse<String> again =
        send(
            to(otherNode, "/effect")
                .header(SignInMessage.HEADER, signed)
                .POST(BodyPublishers.ofString("ring")));
    HttpResponse<String> other =
        send(
            to(node, "/effect")
                .header(SignInMessage.HEADER, signed(wallet, info(unpaid), message -> {}))
                .POST(BodyPublishers.ofString("ring twice")));

    assertThat(again.body()).isEqualTo(done.body());
    assertThat(other.statusCode()).as("used up, and another body").isEqualTo(402);
    assertThat(spent(wallet)).isEqualTo(10_000);
  }

  @Test
  void onlyTheWalletThatPaidAndOnlyForTheRequestThatItPaidFor() throws Exception {
    Wallet wallet = Wallet.generate();
    buy(wallet, "/report?b=1");

    assertRefused(signedIn(Wallet.generate(), node, "/report?b=1"), "Payment required");
    assertRefused(signedIn(wallet, node, "/report?b=2"), "Payment required");
    assertRefused(signedIn(wallet, node, "/read?b=1"), "Payment required");
    assertThat(spent(wallet)).isEqualTo(10_000);
  }

  @Test
  void aHeaderCountsOnceOnWhicheverNodeAndAtTheAddressThatWasChallenged() throws Exception {
    Wallet wallet = Wallet.generate();
    buy(wallet, "/report?c=1");
    buy(wallet, "/read?c=1");
    String signed = signed(wallet, info(get(node, "/report?c=1")), message -> {});

    assertRefused(tried(otherNode, "/read?c=1", signed), "invalid_siwx_nonce");
    assertThat(tried(node, "/report?c=1", signed).statusCode()).isEqualTo(200);
    assertRefused(tried(node, "/report?c=1", signed), "invalid_siwx_nonce");
    assertRefused(tried(otherNode, "/report?c=1", signed), "invalid_siwx_nonce");
    assertRefused(tried(node, "/read?c=1", signed), "invalid_siwx_nonce");
  }

  static Stream<Arguments> forgeries() {
    Instant now = Instant.now();
    return Stream.of(
        forgery("invalid_siwx_domain_mismatch", it -> it.put("domain", "evil.example")),
        forgery("invalid_siwx_domain_mismatch", it -> it.put("domain", "shop.example:443")),
        forgery("invalid_siwx_uri_mismatch", it -> it.put("uri", "http://shop.example/report")),
        forgery("invalid_siwx_uri_mismatch", it -> it.put("uri", "https://shop.example:8/")),
        forgery("invalid_siwx_uri_mismatch", it -> it.put("uri", "https://shop.example@evil/")),
        forgery("invalid_siwx_uri_mismatch", it -> it.put("uri", "no address")),
        forgery("invalid_siwx_issued_at", it -> it.put("issuedAt", "yesterday")),
        forgery(
            "invalid_siwx_issued_at_too_old",
            it -> it.put("issuedAt", now.minusSeconds(400).toString())),
        forgery(
            "invalid_siwx_issued_at_in_future",
            it -> it.put("issuedAt", now.plusSeconds(400).toString())),
        forgery("invalid_siwx_nonce", it -> it.put("issuedAt", now.minusSeconds(60).toString())),
        forgery(
            "invalid_siwx_expired", it -> it.put("expirationTime", now.minusSeconds(1).toString())),
        forgery("invalid_siwx_expiration_time", it -> it.put("expirationTime", "never")),
        forgery(
            "invalid_siwx_not_yet_valid",
            it -> it.put("notBefore", now.plusSeconds(90).toString())),
        forgery("invalid_siwx_not_before", it -> it.put("notBefore", "once")),
        forgery("invalid_siwx_nonce", it -> it.put("nonce", "00112233445566778899aabbccddeeff")),
        forgery("invalid_siwx_nonce", it -> it.put("nonce", "ab".repeat(32))),
        forgery("invalid_siwx_chain_id", it -> it.put("chainId", "eip155:base")),
        forgery("invalid_siwx_chain_id", it -> it.put("chainId", "cosmos:hub")),
        forgery("invalid_siwx_unsupported_chain", it -> it.put("chainId", "eip155:1")));
  }

  private static Arguments forgery(String code, Consumer<ObjectNode> change) {
    return Arguments.of(code, change);
  }

  @ParameterizedTest
  @MethodSource("forgeries")
  void aMessageThatIsNotOursIsAnOrdinaryChallengeThatSaysWhy(
      String code, Consumer<ObjectNode> change) throws Exception {
    Wallet wallet = Wallet.generate();
    buy(wallet, "/report?d=1");

    assertRefused(
        tried(node, "/report?d=1", signed(wallet, info(get(node, "/report?d=1")), change)), code);
    assertThat(spent(wallet)).isEqualTo(10_000);
  }

  @Test
  void whoeverDidNotSignItIsNotSignedIn() throws Exception {
    Wallet wallet = Wallet.generate();
    buy(wallet, "/report?e=1");
    JsonNode info = info(get(node, "/report?e=1"));
    ObjectNode message = message(wallet, info);
    String good = signature(wallet, message);

    ObjectNode others = message.deepCopy();
    others.put("signature", signature(Wallet.generate(), message));
    ObjectNode changed = message.deepCopy();
    changed.put("signature", good).put("statement", "Another statement.");
    ObjectNode none = message.deepCopy();
    none.put("signature", "mine");
    ObjectNode noAddress = message.deepCopy();
    noAddress.put("signature", good).put("address", "0x12");

    assertRefused(tried(node, "/report?e=1", encoded(others)), "invalid_siwx_signature");
    assertRefused(tried(node, "/report?e=1", encoded(changed)), "invalid_siwx_signature");
    assertRefused(tried(node, "/report?e=1", encoded(none)), "invalid_siwx_malformed_signature");
    assertRefused(
        tried(node, "/report?e=1", encoded(noAddress)), "invalid_siwx_malformed_signature");
    message.put("signature", good);
    assertThat(tried(node, "/report?e=1", encoded(message)).statusCode())
        .as("what was refused did not use it up")
        .isEqualTo(200);
  }

  @Test
  void whatAMessageNamesWidensNothing() throws Exception {
    Wallet wallet = Wallet.generate();
    buy(wallet, "/report?f=1");
    String elsewhere = "https://shop.example/report?f=1";

    assertRefused(
        tried(
            node,
            "/read?f=1",
            signed(
                wallet,
                info(get(node, "/read?f=1")),
                it -> it.put("uri", elsewhere).putArray("resources").add(elsewhere))),
        "Payment required");
    assertThat(
            tried(
                    node,
                    "/report?f=1",
                    signed(
                        wallet,
                        info(get(node, "/report?f=1")),
                        it -> it.putArray("resources").add("https://shop.example/read")))
                .body())
        .startsWith("report");
  }

  @Test
  void whatCannotBeReadIsABadRequestAndWhatIsTooLongIsRefused() throws Exception {
    String lines = "{\"version\":\"1\",\"domain\":\"a\\nb\"}";

    for (String header :
        List.of(
            "!",
            "e30=",
            "bnVsbA==",
            encoded("[]"),
            encoded("{\"version\":\"2\"}"),
            encoded(lines),
            encoded("{\"version\":\"1\",\"version\":\"1\"}"),
            "\u00e4")) {
      assertThat(tried(node, "/report", header).statusCode()).as(header).isEqualTo(400);
    }
    assertThat(tried(node, "/report", "A".repeat(6145)).statusCode()).isEqualTo(431);
    assertThat(
            send(to(node, "/report")
                    .header(SignInMessage.HEADER, "e30=")
                    .header(SignInMessage.HEADER, "e30="))
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void aWalletOfSolanaSignsInAndOneThatLooksAlikeDoesNot() throws Exception {
    SolanaWallet wallet = SolanaWallet.generate();
    String address = wallet.address().toString();
    JsonNode info = info(get(node, "/owned/" + address));
    ObjectNode message = info.deepCopy();
    message
        .put("address", address)
        .put("chainId", SolanaToken.DEVNET_USDC.network())
        .put("type", "ed25519")
        .put("signature", Base58.encode(new byte[64]));
    byte[] text = SolanaSignIn.of(SignInMessage.read(encoded(message))).text();
    message.put("signature", Base58.encode(wallet.sign(text)));
    ObjectNode alike = message.deepCopy();
    alike.put("address", address.toLowerCase(Locale.ROOT));

    HttpResponse<String> refused = tried(node, "/owned/" + address, encoded(alike));
    HttpResponse<String> shown = tried(node, "/owned/" + address, encoded(message));

    assertThat(refused.statusCode()).isEqualTo(402);
    assertThat(JSON.readTree(refused.body()).get("error").asText())
        .isIn("invalid_siwx_signature", "invalid_siwx_malformed_signature");
    assertThat(shown.body()).isEqualTo("for " + address);
  }

  @Test
  void whoSignsInIsCountedAsOneWhoDoesNotPay() throws Exception {
    Wallet wallet = Wallet.generate();
    buy(wallet, "/report?i=1");
    int before = unpaid.get();

    signedIn(wallet, node, "/report?i=1");
    signedIn(Wallet.generate(), node, "/report?i=1");

    assertThat(unpaid).hasValue(before + 4);
  }

  @Test
  void aPayerWhoseMoneyIsNotTakenIsShownNothing() throws Exception {
    Wallet wallet = Wallet.generate();
    buy(wallet, "/report?j=1");
    denied.set(wallet.address().lowerCase());

    assertThat(signedIn(wallet, node, "/report?j=1").statusCode()).isEqualTo(403);
  }

  @Test
  void aTariffSaysWhoReadsWithoutPaying() throws Exception {
    Wallet wallet = Wallet.generate();
    String own = "/owned/" + wallet.address();

    HttpResponse<String> shown = signedIn(wallet, node, own);
    assertThat(shown.body()).isEqualTo("for " + wallet.address());
    assertIsForOneCaller(shown);
    assertRefused(signedIn(Wallet.generate(), node, own), "Payment required");
    assertThat(buy(Wallet.generate(), own).body()).isEqualTo("paid");
    assertThat(spent(wallet)).isZero();
  }

  /** Or a cache between would show it to every caller who knows the address. */
  private static void assertIsForOneCaller(HttpResponse<String> shown) {
    assertThat(shown.headers().firstValue("Cache-Control")).contains("private");
  }

  @Test
  void aServletHasTheWalletForItsCallerAndEachMessageIsCountedByWhatCameOfIt() throws Exception {
    SignIns signIns = serveServlet().signIns().orElseThrow();
    Wallet wallet = Wallet.generate();
    Wallet other = Wallet.generate();
    String own = "/owned/" + wallet.address();

    HttpResponse<String> shown = signedIn(wallet, servlets, own);
    assertThat(shown.body()).isEqualTo("for " + wallet.address());
    assertIsForOneCaller(shown);
    assertThat(buy(other, servlets, own).body()).isEqualTo("paid by " + other.address());
    assertThat(count(signIns)).isEqualTo(Map.of(SignInOutcome.SHOWN, 1L));

    String signed = signed(wallet, info(get(servlets, own)), message -> {});
    assertThat(tried(servlets, own, signed).statusCode()).isEqualTo(200);
    assertRefused(tried(servlets, own, signed), "invalid_siwx_nonce");
    assertRefused(signedIn(Wallet.generate(), servlets, own), "Payment required");
    assertRefused(
        tried(servlets, own, signed(wallet, info(get(servlets, own)), it -> it.put("domain", "x"))),
        "invalid_siwx_domain_mismatch");
    assertThat(tried(servlets, own, "!").statusCode()).isEqualTo(400);
    assertThat(tried(servlets, own, "A".repeat(6145)).statusCode()).isEqualTo(431);
    denied.set(wallet.address().lowerCase());
    assertThat(signedIn(wallet, servlets, own).statusCode()).isEqualTo(403);
    assertThat(count(signIns))
        .isEqualTo(
            Map.of(
                SignInOutcome.SHOWN, 2L,
                SignInOutcome.NOTHING_BOUGHT, 1L,
                SignInOutcome.INVALID, 2L,
                SignInOutcome.UNREADABLE, 2L,
                SignInOutcome.REFUSED, 1L));
  }

  /** What came of messages, without what never did. */
  private static Map<SignInOutcome, Long> count(SignIns signIns) {
    Map<SignInOutcome, Long> counts = new EnumMap<>(SignInOutcome.class);
    for (SignInOutcome outcome : SignInOutcome.values()) {
      counts.put(outcome, signIns.count(outcome));
    }
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  @Test
  void aFreeReadIsForWalletsThatHavePaid() throws Exception {
    Wallet wallet = Wallet.generate();
    HttpResponse<String> nobody = get(node, "/account");
    assertThat(nobody.statusCode()).isEqualTo(401);
    JsonNode info = JSON.readTree(nobody.body()).at("/extensions/sign-in-with-x/info");

    assertThat(tried(node, "/account", signed(wallet, info, it -> {})).statusCode())
        .as("never paid")
        .isEqualTo(403);
    buy(wallet, "/report?g=1");
    String signed = signed(wallet, info, it -> {});
    assertThat(tried(otherNode, "/account", signed).body()).isEqualTo(wallet.address().toString());
    HttpResponse<String> replayed = tried(node, "/account", signed);
    assertThat(replayed.statusCode()).isEqualTo(401);
    assertThat(JSON.readTree(replayed.body()).get("error").asText())
        .isEqualTo("invalid_siwx_nonce");
  }

  @Test
  void anAnswerIsShownAsLongAsItIsKept() throws Exception {
    Wallet wallet = Wallet.generate();
    buy(wallet, "/report?h=1");
    ahead.set(24 * 3600 - 60);
    try {
      assertThat(signedIn(wallet, node, "/report?h=1").statusCode()).isEqualTo(200);
      ahead.set(24 * 3600 + 60);
      assertRefused(signedIn(wallet, node, "/report?h=1"), "Payment required");
    } finally {
      ahead.set(0);
    }
  }

  @Test
  void strangersWriteNothingDown() throws Exception {
    long before = nonces();
    for (int i = 0; i < 5; i++) {
      signedIn(Wallet.generate(), node, "/report");
    }
    assertThat(nonces()).isEqualTo(before);
  }

  @Test
  void realMoneyNeedsAnAddressThatCallersDoNotChoose() {
    assertThatThrownBy(
            () ->
                Payments.remote(
                        database,
                        "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
                        "http://127.0.0.1:1")
                    .protocol(ClientProtocol.DEFAULT.withSignIn(true))
                    .build())
        .isInstanceOf(PaymentsMisconfigured.class)
        .hasMessageContaining("public base URL");
  }

  private HttpResponse<String> buy(Wallet wallet, String path) throws Exception {
    return buy(wallet, node, path);
  }

  private HttpResponse<String> buy(Wallet wallet, URI at, String path) throws Exception {
    String payment = payment(wallet, get(at, path));
    HttpResponse<String> bought =
        send(to(at, path).header(PaymentHeaders.PAYMENT_SIGNATURE, payment));
    assertThat(bought.statusCode()).isEqualTo(200);
    return bought;
  }

  private static String payment(Wallet wallet, HttpResponse<String> unpaid) {
    PaymentRequired challenge =
        PaymentRequired.read(header(unpaid, PaymentHeaders.PAYMENT_REQUIRED));
    return new PaymentSigner(wallet, Clock.systemUTC()).sign(challenge, challenge.accepts().get(0));
  }

  private HttpResponse<String> signedIn(Wallet wallet, URI at, String path) throws Exception {
    return tried(at, path, signed(wallet, info(get(at, path)), message -> {}));
  }

  private HttpResponse<String> tried(URI at, String path, String header) throws Exception {
    return send(to(at, path).header(SignInMessage.HEADER, header));
  }

  private static JsonNode info(HttpResponse<String> challenge) throws Exception {
    return JSON.readTree(decoded(challengeOf(challenge))).at("/extensions/sign-in-with-x/info");
  }

  /** What the wallet of a client makes of a challenge, changed as a hostile one would. */
  private static String signed(Wallet wallet, JsonNode info, Consumer<ObjectNode> change)
      throws Exception {
    ObjectNode message = message(wallet, info);
    change.accept(message);
    return encoded(message.put("signature", signature(wallet, message)));
  }

  private static ObjectNode message(Wallet wallet, JsonNode info) {
    ObjectNode message = info.deepCopy();
    return message
        .put("address", wallet.address().toString())
        .put("chainId", "eip155:8453")
        .put("type", "eip191");
  }

  private static String signature(Wallet wallet, ObjectNode message) throws Exception {
    ObjectNode unsigned = message.deepCopy();
    unsigned.put("signature", "0x");
    byte[] digest = EvmSignIn.of(SignInMessage.read(encoded(unsigned))).digest();
    return "0x" + HexFormat.of().formatHex(wallet.sign(digest));
  }

  private static String encoded(Object json) throws Exception {
    byte[] bytes =
        json instanceof String text
            ? text.getBytes(StandardCharsets.UTF_8)
            : JSON.writeValueAsBytes(json);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] decoded(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  private static String challengeOf(HttpResponse<String> challenge) {
    return header(challenge, PaymentHeaders.PAYMENT_REQUIRED);
  }

  private static void assertRefused(HttpResponse<String> answer, String error) throws Exception {
    assertThat(answer.statusCode()).isEqualTo(402);
    JsonNode challenge = JSON.readTree(answer.body());
    assertThat(challenge.get("error").asText()).isEqualTo(error);
    assertThat(challenge.get("accepts")).isNotEmpty();
    assertThat(challenge.at("/extensions/sign-in-with-x/info/nonce").asText()).isNotEmpty();
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElseThrow();
  }

  private HttpResponse<String> get(URI at, String path) throws Exception {
    return send(to(at, path));
  }

  private static HttpRequest.Builder to(URI at, String path) {
    return HttpRequest.newBuilder(at.resolve(path));
  }

  /** On a connection of its own: the container closes those whose bodies it did not read. */
  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private long nonces() {
    return number("SELECT count(*) FROM sign_in_nonce");
  }

  private long spent(Wallet wallet) {
    String owner = wallet.address().lowerCase().substring(2);
    return number(
        "SELECT COALESCE(SUM(COALESCE(charged, amount)), 0) FROM payment WHERE payer = X'"
            + owner
            + "' AND state = 'SETTLED'");
  }

  private long number(String sql) {
    return NamedStatements.of(database)
        .withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
  }
}
