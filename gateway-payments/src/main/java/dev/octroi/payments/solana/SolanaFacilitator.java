package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Facilitator.Balances;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.solana.ExactSolanaVerifier.Judgement;
import dev.octroi.payments.solana.Sending.SimulationErrors;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies against Solana and settles with a fee payer of its own. Thread-safe.
 *
 * <p>A transaction is stored with its signature before it is sent, each message once over all nodes
 * and all callers; whatever happens afterwards, its {@link #evidence} finds its end.
 */
public final class SolanaFacilitator implements Facilitator {

  private static final Logger LOG = LoggerFactory.getLogger(SolanaFacilitator.class);

  private final SolanaRpc rpc;
  private final FeePayer feePayer;
  private final ExactSolanaVerifier rules;
  private final SolanaTransactions store;
  private final String network;
  private final Sending sending;
  private final SolanaEvidence evidence;

  /**
   * Makes the facilitator, which owns the store from now on.
   *
   * @param network CAIP-2 id
   * @param wallet who pays the fees
   * @param maxFeeLamports the most that one transaction may cost it
   */
  public SolanaFacilitator(
      String network,
      SolanaWallet wallet,
      long maxFeeLamports,
      SolanaRpc rpc,
      SolanaTransactions store,
      SolanaSettings settings,
      Clock clock) {
    this.network = network;
    this.rpc = rpc;
    this.store = store;
    this.feePayer = new FeePayer(wallet, clock);
    this.rules = new ExactSolanaVerifier(clock, feePayer::is, maxFeeLamports);
    this.sending = new Sending(rpc, store, settings);
    this.evidence = SolanaEvidence.ofOwn(rpc, settings.finality(), store);
  }

  @Override
  public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
    Judgement judgement = rules.judge(payload, terms);
    if (judgement instanceof Judgement.Broken broken) {
      return broken.toVerification();
    }
    Judgement.Sound sound = (Judgement.Sound) judgement;
    try {
      SolanaRpc.Simulation simulation =
          rpc.simulate(sound.transaction(), sound.transfer().source());
      return simulation.succeeds()
          ? rules.valid(sound, terms, spendable(simulation, sound.transfer()))
          : failing(sound, terms, simulation.error());
    } catch (IOException e) {
      throw new SolanaUnavailable(e);
    }
  }

  /** What the payer holds before the transfer. */
  private static OptionalLong spendable(SolanaRpc.Simulation simulation, TransferChecked transfer)
      throws IOException {
    long left =
        simulation
            .left()
            .orElseThrow(() -> new IOException("the simulation showed no token account"));
    return OptionalLong.of(Math.addExact(left, transfer.amount()));
  }

  private Verification failing(Judgement.Sound sound, PaymentRequirements terms, JsonNode error)
      throws IOException {
    if (SimulationErrors.isFeePayerPoor(error)) {
      feePayer.foundEmpty();
      throw new SolanaUnavailable("the fee payer cannot pay");
    }
    Verification.Valid valid = rules.valid(sound, terms, OptionalLong.of(0));
    if (SimulationErrors.isAlreadyProcessed(error)) {
      return new Verification.Late("duplicate_settlement", valid);
    }
    if (SimulationErrors.isBlockhashGone(error)) {
      return new Verification.Late(SimulationErrors.FAILED, valid);
    }
    return new Verification.Invalid(reason(sound.transfer()), sound.payer());
  }

  /** Tells the usual causes of a failed simulation apart. */
  private String reason(TransferChecked transfer) throws IOException {
    List<OptionalLong> held = rpc.tokens(transfer.source(), transfer.destination());
    if (held.get(1).isEmpty()) {
      LOG.error("The recipient has no account {} for the token: open it", transfer.destination());
      return "invalid_exact_svm_recipient_token_account_missing";
    }
    if (held.get(0).isEmpty()) {
      return "invalid_exact_svm_payer_token_account_missing";
    }
    return held.get(0).getAsLong() < transfer.amount()
        ? "insufficient_funds"
        : SimulationErrors.FAILED;
  }

  @Override
  public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
    Judgement judgement = rules.judge(payload, terms);
    if (judgement instanceof Judgement.Broken broken) {
      return new Settlement.Refused(broken.reason());
    }
    SolanaTransaction signed = feePayer.sign(((Judgement.Sound) judgement).transaction());
    Optional<Instant> stored;
    try {
      stored = store.store(signed, rpc.latest().lastValidHeight());
    } catch (IOException e) {
      LOG.warn("No transaction was made for {}: {}", signed.messageHash(), e.getMessage());
      return new Settlement.Unsent("settlement_unavailable");
    }
    if (stored.isEmpty()) {
      return new Settlement.Refused("duplicate_settlement");
    }
    Settlement outcome = sending.send(signed, stored.get());
    if (outcome instanceof Settlement.Unsent) {
      feePayer.foundEmpty();
    }
    return outcome;
  }

  @Override
  public Optional<Evidence> evidence(String asked) {
    return asked.equals(network) ? Optional.of(evidence) : Optional.empty();
  }

  @Override
  public Optional<Balances> balances(String asked) {
    return asked.equals(network) ? Optional.of(new SolanaBalances(rpc)) : Optional.empty();
  }

  /** Those under way are sent again where their {@link #evidence} is looked for. */
  @Override
  public void follow(UnresolvedPayments unresolved) {
    store.forget();
  }

  @Override
  public List<String> networks() {
    return List.of(network);
  }

  @Override
  public Optional<Map<String, Object>> offerExtra(String asked) {
    return asked.equals(network) ? feePayer.offered() : Optional.empty();
  }

  /** Ends the calls that wait for the chain, their payments in doubt, and the store. */
  @Override
  public void close() {
    sending.close();
    store.close();
  }

  /** The gateway's own account, which pays the chain's fees for its payers. Thread-safe. */
  private static final class FeePayer {

    private static final Logger LOG = LoggerFactory.getLogger(FeePayer.class);

    /** For how long nothing is offered after the account was found empty. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final SolanaWallet wallet;
    private final Clock clock;
    private final Optional<Map<String, Object>> extra;
    private volatile Instant emptyUntil = Instant.MIN;

    FeePayer(SolanaWallet wallet, Clock clock) {
      this.wallet = wallet;
      this.clock = clock;
      this.extra = Optional.of(Map.of("feePayer", wallet.address().toString()));
    }

    /** What an offer says of it; empty while it cannot pay. */
    Optional<Map<String, Object>> offered() {
      Instant until = emptyUntil;
      return until.equals(Instant.MIN) || clock.instant().isAfter(until) ? extra : Optional.empty();
    }

    /** Signs first, by which it pays. */
    SolanaTransaction sign(SolanaTransaction transaction) {
      return transaction.signedBy(wallet);
    }

    boolean is(String address) {
      return wallet.address().toString().equals(address);
    }

    /** The chain said that it cannot pay. */
    void foundEmpty() {
      Instant now = clock.instant();
      if (now.isAfter(emptyUntil)) {
        LOG.error("The fee payer {} has no lamports for a fee: fund it", wallet.address());
      }
      emptyUntil = now.plus(PAUSE);
    }
  }

  /** The chain cannot be asked, or our own account there cannot pay; the payer is not to blame. */
  public static final class SolanaUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SolanaUnavailable(String message) {
      super(message);
    }

    SolanaUnavailable(Exception cause) {
      super(cause);
    }
  }

  /** What owners hold of a token in their associated accounts on Solana. Thread-safe. */
  public static final class SolanaBalances implements Balances {

    private static final Logger LOG = LoggerFactory.getLogger(SolanaBalances.class);

    private final SolanaRpc rpc;

    public SolanaBalances(SolanaRpc rpc) {
      this.rpc = rpc;
    }

    /** An owner without an account holds nothing. */
    @Override
    public OptionalLong of(String asset, String account) {
      SolanaAddress mint = SolanaAddress.parse(asset);
      SolanaAddress owner = SolanaAddress.parse(account);
      try {
        // A mint is of one of the programs, so that at most one of these is there.
        List<OptionalLong> held =
            rpc.tokens(
                AssociatedToken.of(owner, mint, Programs.TOKEN),
                AssociatedToken.of(owner, mint, Programs.TOKEN_2022));
        return OptionalLong.of(held.stream().mapToLong(one -> one.orElse(0)).sum());
      } catch (IOException e) {
        LOG.warn("A balance cannot be asked for: {}", e.getMessage());
        return OptionalLong.empty();
      }
    }
  }
}
