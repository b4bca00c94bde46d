package dev.octroi.api.setup;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings.Mode;
import dev.octroi.api.settings.SolanaPaymentSettings;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.facilitator.WatchedFacilitator;
import dev.octroi.payments.solana.Blockhashes;
import dev.octroi.payments.solana.ExactSolanaVerifier;
import dev.octroi.payments.solana.SolanaAddress;
import dev.octroi.payments.solana.SolanaBalances;
import dev.octroi.payments.solana.SolanaEvidence;
import dev.octroi.payments.solana.SolanaFacilitator;
import dev.octroi.payments.solana.SolanaRpc;
import dev.octroi.payments.solana.SolanaSandbox;
import dev.octroi.payments.solana.SolanaSettings;
import dev.octroi.payments.solana.SolanaTransactions;
import dev.octroi.payments.solana.SolanaWallet;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/** Being paid on the base58 chain, where {@code gateway.base58.pay-to} is set. */
public record SolanaAssembly(GatewaySettings settings, DataSource database, Clock clock) {

  /** What forbids the start, one sentence each; empty if nothing does. */
  static List<String> problems(GatewaySettings settings) {
    SolanaPaymentSettings base58 = settings.base58();
    List<String> problems = new ArrayList<>();
    if (base58.payTo().isEmpty()) {
      return problems;
    }
    checkAddress("pay-to", base58.payTo().get(), problems);
    checkAddress("asset", base58.asset(), problems);
    Mode mode = settings.payments().mode();
    if (mode == Mode.CHAIN && !base58.isOwn()) {
      problems.add("gateway.base58.fee-payer-key is not set, and gateway.payments.mode is chain");
    }
    if (mode != Mode.SANDBOX && base58.isOwn()) {
      checkOwn(base58, problems);
    }
    return problems;
  }

  private static void checkOwn(SolanaPaymentSettings base58, List<String> problems) {
    try {
      SolanaWallet.parse(base58.feePayerKey().value());
    } catch (IllegalArgumentException e) {
      problems.add("gateway.base58.fee-payer-key: " + e.getMessage());
    }
    if (base58.rpcUrl().isEmpty()) {
      problems.add("gateway.base58.rpc-url is not set, and the gateway settles there itself");
    }
  }

  private static void checkAddress(String setting, String address, List<String> problems) {
    try {
      SolanaAddress.parse(address);
    } catch (IllegalArgumentException e) {
      problems.add("gateway.base58." + setting + ": " + e.getMessage());
    }
  }

  /** The offer; empty where nothing is to be paid there. */
  public static Optional<PaymentOption> option(GatewaySettings settings) {
    SolanaPaymentSettings base58 = settings.base58();
    return base58
        .payTo()
        .map(
            payTo ->
                new PaymentOption(
                    base58.network(),
                    base58.asset(),
                    payTo,
                    Map.of(),
                    (int) base58.maxTimeout().toSeconds()));
  }

  /**
   * The facilitator that settles there in place of a remote one; empty where a remote one settles,
   * or none.
   */
  Optional<Facilitator> facilitator() {
    SolanaPaymentSettings base58 = settings.base58();
    if (base58.payTo().isEmpty()) {
      return Optional.empty();
    }
    if (settings.payments().mode() == Mode.SANDBOX) {
      return Optional.of(SolanaSandbox.facilitator(base58.network(), clock));
    }
    return base58.isOwn() && !base58.rpcUrl().isEmpty()
        ? Optional.of(own(base58, rpc(base58)))
        : Optional.empty();
  }

  private Facilitator own(SolanaPaymentSettings base58, SolanaRpc rpc) {
    SolanaSettings usual = SolanaSettings.defaults();
    return new SolanaFacilitator(
        base58.network(),
        SolanaWallet.parse(base58.feePayerKey().value()),
        base58.maxFee(),
        rpc,
        new SolanaTransactions(database, base58.network(), clock),
        new SolanaSettings(base58.finality(), base58.settleTimeout(), usual.resend(), usual.poll()),
        clock);
  }

  private static SolanaRpc rpc(SolanaPaymentSettings base58) {
    HttpClient http = HttpClient.newBuilder().connectTimeout(base58.rpcTimeout()).build();
    return new SolanaRpc(http, base58.nodes(), base58.network(), base58.rpcTimeout());
  }

  /** Whether a remote facilitator is to settle there. */
  static boolean isRemote(GatewaySettings settings) {
    return settings.payments().mode() == Mode.REMOTE
        && settings.base58().payTo().isPresent()
        && !settings.base58().isOwn();
  }

  /** Where managed wallets learn what dates their payments; the sandbox's offers tell it. */
  public Blockhashes blockhashes() {
    SolanaPaymentSettings base58 = settings.base58();
    return base58.rpcUrl().isEmpty() ? SolanaAssembly::nobodyAsked : rpc(base58);
  }

  private static SolanaAddress nobodyAsked() throws IOException {
    throw new IOException("gateway.base58.rpc-url is not set: managed wallets cannot pay there");
  }

  /** The remote facilitator, with a node beside it that proves what it leaves in doubt. */
  Facilitator watched(Facilitator remote) {
    SolanaPaymentSettings base58 = settings.base58();
    if (!isRemote(settings) || base58.rpcUrl().isEmpty()) {
      return remote;
    }
    SolanaRpc rpc = rpc(base58);
    return new WatchedFacilitator(
        remote,
        base58.network(),
        SolanaEvidence.ofOthers(rpc, base58.finality()),
        new SolanaBalances(rpc));
  }

  /** What is checked before a remote facilitator is asked; its fees are its own affair. */
  BiFunction<PaymentPayload, PaymentRequirements, Verification> localChecks() {
    return new ExactSolanaVerifier(clock, feePayer -> true, Long.MAX_VALUE)::verify;
  }
}
