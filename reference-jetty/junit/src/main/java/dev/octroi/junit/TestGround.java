package dev.octroi.junit;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.db.Migrations;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.ledger.jdbc.SingleWriter;
import dev.octroi.payments.setup.Payments;
import dev.octroi.sandbox.Sandbox;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a host under test stands on: a database in memory, sandbox money in it, and the whole
 * gateway before sandbox upstreams where it is asked for.
 *
 * <p>A host takes either {@link #payments} or {@link #gateway}, once. Not thread-safe: for the
 * thread that starts the host.
 */
public final class TestGround implements AutoCloseable {

  private static final EvmToken TOKEN = EvmToken.BASE_USDC;
  private static final EvmAddress SELLER =
      EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
  private static final int SECONDS_TO_PAY = 60;
  private static final int KEY_BYTES = 32;

  /** Every call of a test comes from one address, and every payment begins with an unpaid call. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "gateway.limits.unpaid-per-minute",
          "1000000",
          "gateway.sandbox.starting-balance",
          "0",
          "gateway.database.answer-key",
          Base64.getEncoder().encodeToString(new byte[KEY_BYTES]));

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final DataSource database;
  private @Nullable SandboxBalances balances;

  private TestGround(DataSource database) {
    this.database = database;
  }

  static TestGround open() {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    TestGround ground = new TestGround(SingleWriter.of(pool));
    ground.closing(pool);
    try {
      Migrations.apply(pool);
      return ground;
    } catch (RuntimeException e) {
      throw ground.closedAfter(e);
    }
  }

  /** An empty database but for the gateway's tables; the host may make its own beside them. */
  public DataSource database() {
    return database;
  }

  /** Payments with sandbox money, for a host that mounts a {@code PaymentsFeature}. */
  public Payments payments() {
    return payments(builder -> builder);
  }

  /**
   * The same with what the host sets besides.
   *
   * @param with has the ledger, the facilitator and one way to pay set already
   */
  public Payments payments(UnaryOperator<Payments.Builder> with) {
    requireNoMoneyYet();
    Clock clock = Clock.systemUTC();
    JdbcLedger ledger =
        new JdbcLedger(
            database,
            new AnswerVault(new byte[KEY_BYTES]),
            LedgerSettings.builder("test").startingBalance(0).build(),
            clock);
    ExactEvmVerifier verifier = new ExactEvmVerifier(clock, Signatures.fastest());
    Payments.Builder builder =
        Payments.builder()
            .ledger(ledger)
            .facilitator(new SandboxFacilitator(verifier::verify, List.of(TOKEN.network())))
            .accept(TOKEN.payableTo(SELLER, SECONDS_TO_PAY));
    Payments payments = closing(with.apply(builder).build());
    balances = new SandboxBalances(ledger.sandboxBank(), TOKEN);
    return payments;
  }

  /** The whole gateway before sandbox upstreams, which are started with it. */
  public Gateway gateway() {
    return gateway(Map.of(), builder -> builder);
  }

  /**
   * The same with what the host sets besides.
   *
   * @param settings over the kit's, by their full names
   * @param with has settings and database set already
   */
  public Gateway gateway(Map<String, String> settings, UnaryOperator<GatewayBuilder> with) {
    requireNoMoneyYet();
    Sandbox sandbox = closing(Sandbox.start());
    SettingsSources sources =
        SettingsSources.none().values("the test", settings).values("the test kit", SETTINGS);
    GatewaySettings whole =
        GatewaySettings.read(
            sources.values("the sandbox", sandbox.settings(GatewaySettings.read(sources))));
    Gateway gateway =
        closing(with.apply(Gateway.builder().settings(whole).database(database)).build());
    balances =
        new SandboxBalances(
            gateway
                .sandboxBank()
                .orElseThrow(() -> new IllegalStateException("tests are paid with sandbox money")),
            token(whole.payments()));
    return gateway;
  }

  private static EvmToken token(PaymentSettings paid) {
    return new EvmToken(
        paid.network(), EvmAddress.parse(paid.asset()), paid.assetName(), paid.assetVersion());
  }

  /** Has something closed after the tests, before what was given or started earlier. */
  public <T extends AutoCloseable> T closing(T part) {
    parts.push(part);
    return part;
  }

  /** Two ledgers of one name in one database would end each other's calls. */
  private void requireNoMoneyYet() {
    if (balances != null) {
      throw new IllegalStateException("a host takes payments() or gateway(), once");
    }
  }

  SandboxBalances balances() {
    if (balances == null) {
      throw new IllegalStateException(
          "the host was started without payments() or gateway() of the ground");
    }
    return balances;
  }

  /** Closes what there is of a host that did not start. */
  IllegalStateException closedAfter(Throwable failure) {
    IllegalStateException thrown = new IllegalStateException("the host did not start", failure);
    try {
      close();
    } catch (RuntimeException e) {
      thrown.addSuppressed(e);
    }
    return thrown;
  }

  /** In the reverse order of their start; one that fails does not keep the others open. */
  @Override
  public void close() {
    IllegalStateException failed = new IllegalStateException("the host did not close well");
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        failed.addSuppressed(e);
      }
    }
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }
}
