package dev.octroi.payments.setup;

import static dev.octroi.payments.facilitator.HostileFacilitator.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Paid;
import dev.octroi.payments.PaymentsMisconfigured;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.relay.RelayerKey;
import dev.octroi.payments.facilitator.HostileFacilitator;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.jaxrs.PaymentsFeature;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Stablecoin;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The three ways to be paid out of a database, each with a real client over real HTTP. */
class StoredPaymentsTest {

  private static final String SELLER = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  private static final String HASH = "0x" + "cd".repeat(32);

  @TempDir private java.nio.file.Path folder;
  private HikariDataSource database;

  /** What is sold. */
  @Path("report")
  public static class Report {

    @GET
    @Paid("0.01")
    public String report() {
      return "4711 visitors";
    }
  }

  @BeforeEach
  void open() {
    database = pool("jdbc:h2:async:" + folder.resolve("books") + ";WRITE_DELAY=0");
  }

  private static HikariDataSource pool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    H2Schema.copyTo(pool);
    return pool;
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aMethodIsSoldForWorthlessMoney() throws Exception {
    Payments payments = Payments.sandbox(database).build();

    assertThat(soldTo(Wallet.generate(), payments)).isEqualTo("402, then 200 4711 visitors");
    assertThat(states()).containsExactly("SETTLED");
  }

  @Test
  void aMethodIsSoldThroughTheFirstFacilitatorThatAnswers() throws Exception {
    try (HostileFacilitator gone = new HostileFacilitator();
        HostileFacilitator remote = new HostileFacilitator()) {
      gone.on("verify", json(500, "{}")).on("supported", json(500, "{}"));
      remote
          .on("supported", json(404, "{}"))
          .on("verify", json(200, "{\"isValid\":true}"))
          .on(
              "settle",
              json(
                  200,
                  "{\"success\":true,\"transaction\":\"%s\",\"network\":\"eip155:8453\"}"
                      .formatted(HASH)));
      Payments payments =
          Payments.remote(database, SELLER, gone.base().toString(), remote.base().toString())
              .build();

      assertThat(soldTo(Wallet.generate(), payments)).isEqualTo("402, then 200 4711 visitors");
      assertThat(remote.asked("settle")).hasSize(1);
      assertThat(remote.asked("settle").get(0).body()).contains(SELLER);
    }
  }

  @Test
  void whatAFacilitatorLeavesInDoubtIsDecidedByTheChainsNodes() throws Exception {
    try (HostileFacilitator remote = new HostileFacilitator();
        Anvil anvil = Anvil.start()) {
      Stablecoin coin = Stablecoin.deploy(anvil);
      Wallet wallet = Wallet.generate();
      coin.mint(wallet.address().toString(), 1_000_000);
      remote.on("settle", json(500, "{}"));
      try (Payments payments =
          Payments.remote(database, SELLER, remote.base().toString())
              .rpc(anvil.url().toString())
              .build()) {
        HttpServer server = server(payments);
        assertThat(client(wallet).send(request(server)).status()).isEqualTo(503);
        assertThat(states()).containsExactly("IN_DOUBT");

        anvil.timestampOfNextBlock(anvil.timestamp() + 600);
        anvil.mine(70);

        await().atMost(Duration.ofSeconds(40)).until(() -> states().contains("FAILED"));
        server.shutdownNow();
      }
    }
  }

  @Test
  void aMethodIsSoldOnAChainByTransactionsOfOnesOwn() throws Exception {
    String relayer = "5".repeat(64);
    try (Anvil anvil = Anvil.start()) {
      Stablecoin coin = Stablecoin.deploy(anvil);
      anvil.setBalance(RelayerKey.fromHex(relayer).address().toString(), BigInteger.TEN.pow(18));
      Wallet wallet = Wallet.generate();
      coin.mint(wallet.address().toString(), 1_000_000);
      Payments payments = Payments.chain(database, SELLER, relayer, anvil.url().toString()).build();

      assertThat(soldTo(wallet, payments)).isEqualTo("402, then 200 4711 visitors");
      assertThat(coin.balanceOf(SELLER)).isEqualTo(10_000);
    }
  }

  @Test
  void eachPartMayBeTheHostsOwn() throws Exception {
    EvmToken token = EvmToken.BASE_SEPOLIA_USDC;
    JdbcLedger ledger =
        new JdbcLedger(
            database, new AnswerVault(new byte[32]), LedgerSettings.of("own"), Clock.systemUTC());
    Payments payments =
        Payments.sandbox(database)
            .token(token)
            .ledger(ledger)
            .facilitator(
                new SandboxFacilitator(
                    (payment, terms) -> new Verification.Invalid("never", null),
                    List.of(token.network())))
            .accept(token.payableTo(EvmAddress.parse(SELLER), 60))
            .build();

    assertThat(payments.accepts(OfferedPrice.of(Usd.parse("1"))))
        .singleElement()
        .satisfies(
            offer -> {
              assertThat(offer.payTo()).isEqualTo(SELLER);
              assertThat(offer.network()).isEqualTo(token.network());
            });
    assertThat(soldTo(Wallet.generate(), payments)).startsWith("402, then 402");
  }

  @Test
  void everythingThatIsWrongIsToldAtOnceAndWithoutAKey() {
    assertThatThrownBy(
            () ->
                Payments.chain(database, "0x209693bC6afc0C5328bA36FaF03C514EF312287C", "12zz", "x:")
                    .answerKey(new byte[5])
                    .build())
        .isInstanceOf(PaymentsMisconfigured.class)
        .hasMessageContaining("address to be paid at")
        .hasMessageContaining("chain's nodes")
        .hasMessageContaining("wallets that pay for gas")
        .hasMessageContaining("32 bytes")
        .hasMessageNotContaining("12zz");
    assertThatThrownBy(() -> Payments.remote(database, StoredPayments.UNOWNED).build())
        .hasMessageContaining("sandbox's")
        .hasMessageContaining("1 to 8 facilitators");
    assertThatThrownBy(() -> Payments.builder().node("a").build())
        .hasMessageContaining("goes with sandbox, remote or chain");
  }

  @Test
  void realMoneyIsNotKeptWhereCommitsAreLost() {
    try (HikariDataSource lossy = pool("jdbc:h2:" + folder.resolve("lossy"))) {
      assertThatThrownBy(() -> Payments.remote(lossy, SELLER, "http://127.0.0.1:1").build())
          .isInstanceOf(PaymentsMisconfigured.class)
          .hasMessageContaining("WRITE_DELAY=0");
    }
  }

  /** Serves, sells once, and closes all. */
  private static String soldTo(Wallet wallet, Payments payments) throws Exception {
    HttpServer server = server(payments);
    try (payments) {
      HttpClient plain = HttpClient.newHttpClient();
      await()
          .ignoreExceptions()
          .until(() -> !payments.accepts(OfferedPrice.of(Usd.parse("0.01"))).isEmpty());
      int unpaid = plain.send(request(server), BodyHandlers.discarding()).statusCode();
      return unpaid + ", then " + text(client(wallet).send(request(server)));
    } finally {
      server.shutdownNow();
    }
  }

  private static HttpServer server(Payments payments) {
    return GrizzlyHttpServerFactory.createHttpServer(
        URI.create("http://127.0.0.1:0/"),
        new ResourceConfig(Report.class).register(new PaymentsFeature(payments)));
  }

  private static PayingClient client(Wallet wallet) {
    return new PayingClient(
        HttpClient.newHttpClient(),
        new PaymentSigner(wallet, Clock.systemUTC()),
        SpendingLimit.of(Usd.parse("1")));
  }

  private static HttpRequest request(HttpServer server) {
    int port = server.getListeners().iterator().next().getPort();
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/report")).build();
  }

  private static String text(PaidAnswer answer) {
    return answer.status() + " " + new String(answer.body(), StandardCharsets.UTF_8);
  }

  private List<String> states() {
    return NamedStatements.of(database)
        .withHandle(it -> it.createQuery("SELECT state FROM payment").mapTo(String.class).list());
  }
}
