package dev.octroi.api.setup;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings.Mode;
import dev.octroi.api.settings.SolanaPaymentSettings;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.HttpFacilitator;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.solana.Blockhashes;
import dev.octroi.payments.solana.ExactSolanaVerifier;
import dev.octroi.payments.solana.SolanaAddress;
import dev.octroi.payments.solana.SolanaEvidence;
import dev.octroi.payments.solana.SolanaFacilitator;
import dev.octroi.payments.solana.SolanaFacilitator.SolanaBalances;
import dev.octroi.payments.solana.SolanaRpc;
import dev.octroi.payments.solana.SolanaSandbox;
import dev.octroi.payments.solana.SolanaSettings;
import dev.octroi.payments.solana.SolanaTransactions;
import dev.octroi.payments.solana.SolanaWallet;
import dev.octroi.payments.x402.PaymentOption;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Being paid on Solana, where {@code gateway.solana.pay-to} is set. */
public record SolanaAssembly(GatewaySettings settings, DataSource database, Clock clock) {

  /** What forbids the start, one sentence each; empty if nothing does. */
  static List<String> problems(GatewaySettings settings) {
    SolanaPaymentSettings solana = settings.solana();
    List<String> problems = new ArrayList<>();
    if (solana.payTo().isEmpty()) {
      return problems;
    }
    checkAddress("pay-to", solana.payTo().get(), problems);
    checkAddress("asset", solana.asset(), problems);
    Mode mode = settings.payments().mode();
    if (mode == Mode.CHAIN && !solana.isOwn()) {
      problems.add("gateway.solana.fee-payer-key is not set, and gateway.payments.mode is chain");
    }
    if (mode != Mode.SANDBOX && solana.isOwn()) {
      checkOwn(solana, problems);
    }
    return problems;
  }

  private static void checkOwn(SolanaPaymentSettings solana, List<String> problems) {
    try {
      SolanaWallet.parse(solana.feePayerKey().value());
    } catch (IllegalArgumentException e) {
      problems.add("gateway.solana.fee-payer-key: " + e.getMessage());
    }
    if (solana.rpcUrl().isEmpty()) {
      problems.add("gateway.solana.rpc-url is not set, and the gateway settles there itself");
    }
  }

  private static void checkAddress(String setting, String address, List<String> problems) {
    try {
      SolanaAddress.parse(address);
    } catch (IllegalArgumentException e) {
      problems.add("gateway.solana." + setting + ": " + e.getMessage());
    }
  }

  /** The offer; empty where nothing is to be paid there. */
  public static Optional<PaymentOption> option(GatewaySettings settings) {
    SolanaPaymentSettings solana = settings.solana();
    return solana
        .payTo()
        .map(
            payTo ->
                new PaymentOption(
                    solana.network(),
                    solana.asset(),
                    payTo,
                    Map.of(),
                    (int) solana.maxTimeout().toSeconds()));
  }

  /**
   * The facilitator that settles there in place of a remote one; empty where a remote one settles,
   * or none.
   */
  Optional<Facilitator> facilitator() {
    SolanaPaymentSettings solana = settings.solana();
    if (solana.payTo().isEmpty()) {
      return Optional.empty();
    }
    if (settings.payments().mode() == Mode.SANDBOX) {
      return Optional.of(SolanaSandbox.facilitator(solana.network(), clock));
    }
    return solana.isOwn() && !solana.rpcUrl().isEmpty()
        ? Optional.of(own(solana, rpc(solana)))
        : Optional.empty();
  }

  private Facilitator own(SolanaPaymentSettings solana, SolanaRpc rpc) {
    SolanaSettings usual = SolanaSettings.defaults();
    return new SolanaFacilitator(
        solana.network(),
        SolanaWallet.parse(solana.feePayerKey().value()),
        solana.maxFee(),
        rpc,
        new SolanaTransactions(database, solana.network(), clock),
        new SolanaSettings(solana.finality(), solana.settleTimeout(), usual.resend(), usual.poll()),
        clock);
  }

  private static SolanaRpc rpc(SolanaPaymentSettings solana) {
    HttpClient http = HttpClient.newBuilder().connectTimeout(solana.rpcTimeout()).build();
    return new SolanaRpc(http, solana.nodes(), solana.network(), solana.rpcTimeout());
  }

  /** Whether a remote facilitator is to settle there. */
  static boolean isRemote(GatewaySettings settings) {
    return settings.payments().mode() == Mode.REMOTE
        && settings.solana().payTo().isPresent()
        && !settings.solana().isOwn();
  }

  /** Where managed wallets learn what dates their payments; the sandbox's offers tell it. */
  public Blockhashes blockhashes() {
    SolanaPaymentSettings solana = settings.solana();
    return solana.rpcUrl().isEmpty() ? SolanaAssembly::nobodyAsked : rpc(solana);
  }

  private static SolanaAddress nobodyAsked() throws IOException {
    throw new IOException("gateway.solana.rpc-url is not set: managed wallets cannot pay there");
  }

  /** The remote facilitator, with a node beside it that proves what it leaves in doubt. */
  Facilitator watched(HttpFacilitator remote) {
    SolanaPaymentSettings solana = settings.solana();
    if (!isRemote(settings) || solana.rpcUrl().isEmpty()) {
      return remote;
    }
    SolanaRpc rpc = rpc(solana);
    return remote.watching(
        solana.network(),
        SolanaEvidence.ofOthers(rpc, solana.finality()),
        new SolanaBalances(rpc),
        Optional.empty());
  }

  /** What is checked before a remote facilitator is asked; its fees are its own affair. */
  Verification.Check localChecks() {
    return new ExactSolanaVerifier(clock, feePayer -> true, Long.MAX_VALUE)::verify;
  }
}
