package dev.octroi.payments.jaxrs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import dev.octroi.payments.account.AesMasterKeys;
import dev.octroi.payments.account.EvmWallets;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.account.WalletKind;
import dev.octroi.payments.client.Signer;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Debts;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.reconcile.Decisions;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Money on two networks: one settles in the ledger's database, the other, like a chain, elsewhere
 * and as the test says.
 */
public final class TestMoney implements AutoCloseable {

  public static final EvmToken HERE = EvmToken.BASE_USDC;
  public static final EvmToken ELSEWHERE = EvmToken.BASE_SEPOLIA_USDC;
  public static final EvmAddress SELLER =
      EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");

  private static final Backoff EAGER = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));

  private final HikariDataSource pool;
  private final JdbcLedger ledger;
  private final LaterClock clock = new LaterClock();
  final AtomicReference<PaymentPayload> lastSettled = new AtomicReference<>();
  private final AtomicBoolean down = new AtomicBoolean();
  private final AtomicReference<Supplier<Settlement>> chain = new AtomicReference<>();
  private final AtomicReference<String> obstacle = new AtomicReference<>("");
  private final AtomicReference<String> hindered = new AtomicReference<>("");

  /** Whether wallets that are made now sign as on a chain without nonces of the payer's choice. */
  final AtomicBoolean nonceless = new AtomicBoolean();

  public TestMoney() {
    HikariConfig config = new HikariConfig();
    // Not found by the driver manager, which belongs to one class loader.
    config.setDriverClassName("org.h2.Driver");
    config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    pool = new HikariDataSource(config);
    H2Schema.copyTo(pool);
    ledger =
        new JdbcLedger(
            pool, new AnswerVault(new byte[32]), LedgerSettings.of("test"), Clock.systemUTC());
    settlesElsewhere();
  }

  public DataSource database() {
    return pool;
  }

  public Ledger ledger() {
    return ledger;
  }

  public Debts debts() {
    return ledger.debts();
  }

  /** Accounts whose wallets pay on both networks. */
  public JdbcAccounts accounts() {
    return new JdbcAccounts(
        ledger.statements(),
        Optional.of(new AesMasterKeys(List.of(new byte[32]))),
        List.of(new EvmWallets(clock)),
        Clock.systemUTC());
  }

  /** The same, whose wallets sign as {@link #nonceless} says. */
  JdbcAccounts changingAccounts() {
    return new JdbcAccounts(
        ledger.statements(),
        Optional.of(new AesMasterKeys(List.of(new byte[32]))),
        List.of(new Wallets(new EvmWallets(clock), nonceless)),
        Clock.systemUTC());
  }

  /** What the payer has in the ledger's own money, in atomic units. */
  public long balance(EvmAddress payer) {
    return balance(payer.toString());
  }

  public long balance(String payer) {
    return ledger.sandboxBank().balance(HERE.network(), payer, HERE.address().toString());
  }

  /** The payments whose end is not known yet. */
  public List<UnresolvedPayment> unresolved() {
    return ledger.unresolved().since(Instant.now().plusSeconds(60), 1000);
  }

  public UnresolvedPayments unresolvedPayments() {
    return ledger.unresolved();
  }

  /** Looks at them once, with this chain's evidence. */
  public void decide(Evidence evidence) {
    Map<String, Evidence> known = Map.of(ELSEWHERE.network(), evidence);
    new Decisions(ledger.unresolved(), known, EAGER, Clock.systemUTC()).run();
  }

  /** Closes one with proof. */
  public boolean close(UnresolvedPayment payment, Settlement proof) {
    return ledger.unresolved().close(payment, proof);
  }

  public static List<PaymentOption> options() {
    return List.of(HERE.payableTo(SELLER, 60), ELSEWHERE.payableTo(SELLER, 60));
  }

  public List<Facilitator> facilitators() {
    ExactEvmVerifier verifier = new ExactEvmVerifier(clock, Signatures.fastest());
    return List.of(
        new SandboxFacilitator(verifier::verify, List.of(HERE.network())), new Chain(verifier));
  }

  /** For the verifier of payments. */
  public void timePasses(Duration duration) {
    clock.passed.set(duration);
  }

  public void isDownElsewhere() {
    down.set(true);
  }

  public void settlesElsewhere() {
    down.set(false);
    nonceless.set(false);
    wouldNotSettleElsewhere("");
    settlesElsewhere(() -> new Settlement.Settled("0x" + "ab".repeat(32)));
  }

  /** Settles as slowly or as badly as the test wants. */
  public void settlesElsewhere(Supplier<Settlement> how) {
    chain.set(how);
  }

  /** A payment is good by itself, but would not settle now. */
  public void wouldNotSettleElsewhere(String reason) {
    wouldNotSettleElsewhere(reason, "");
  }

  /** The same of payments of this amount alone. */
  void wouldNotSettleElsewhere(String reason, String amount) {
    obstacle.set(reason);
    hindered.set(amount);
  }

  public void refusesElsewhere() {
    settlesElsewhere(
        () -> new Settlement.Refused("invalid_exact_evm_transaction_simulation_failed"));
  }

  public void sendsElsewhere() {
    settlesElsewhere(() -> new Settlement.Sent("0x" + "cd".repeat(32)));
  }

  public void cannotSendElsewhere() {
    settlesElsewhere(() -> new Settlement.Unsent("no_relayer_has_gas"));
  }

  public void losesElsewhere() {
    settlesElsewhere(() -> new Settlement.Unknown("timeout", null));
  }

  @Override
  public void close() {
    pool.close();
  }

  private record Wallets(EvmWallets evm, AtomicBoolean nonceless) implements WalletKind {

    @Override
    public String kind() {
      return evm.kind();
    }

    @Override
    public byte[] generate() {
      return evm.generate();
    }

    @Override
    public String address(byte[] privateKey) {
      return evm.address(privateKey);
    }

    @Override
    public Optional<Signer> signer(byte[] privateKey) {
      return evm.signer(privateKey).map(signer -> nonceless.get() ? new Nonceless(signer) : signer);
    }
  }

  private record Nonceless(Signer signer) implements Signer {

    @Override
    public String account() {
      return signer.account();
    }

    @Override
    public boolean signs(PaymentRequirements offer) {
      return signer.signs(offer);
    }

    @Override
    public Map<String, Object> payload(PaymentRequirements chosen) {
      return signer.payload(chosen);
    }
  }

  private static final class LaterClock extends Clock {

    private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);

    @Override
    public Instant instant() {
      return Instant.now().plus(passed.get());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  /** Checks for real, and settles as the test says. */
  private final class Chain implements Facilitator {

    private final ExactEvmVerifier verifier;

    Chain(ExactEvmVerifier verifier) {
      this.verifier = verifier;
    }

    @Override
    public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
      if (down.get()) {
        throw new IllegalStateException("not to be shown");
      }
      Verification checked = verifier.verify(payload, terms);
      if (!(checked instanceof Verification.Valid valid)) {
        return checked;
      }
      Verification.Valid rich =
          new Verification.Valid(
              valid.payer(), valid.nonce(), valid.validBefore(), OptionalLong.of(1_000_000));
      boolean meant = hindered.get().isEmpty() || hindered.get().equals(terms.amount());
      return meant && !obstacle.get().isEmpty()
          ? new Verification.Late(obstacle.get(), rich)
          : rich;
    }

    @Override
    public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
      lastSettled.set(payload);
      return chain.get().get();
    }

    @Override
    public List<String> networks() {
      return List.of(ELSEWHERE.network());
    }
  }
}
