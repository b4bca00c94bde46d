package dev.octroi.api.setup;

import dev.octroi.api.settings.ChainSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.chain.ApprovalFunds;
import dev.octroi.payments.evm.chain.ChainBalances;
import dev.octroi.payments.evm.chain.ChainEvidence;
import dev.octroi.payments.evm.chain.ChainEvidence.Finality;
import dev.octroi.payments.evm.chain.ChainEvmVerifier;
import dev.octroi.payments.evm.chain.ChainPermit2Verifier;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator.Balances;
import dev.octroi.payments.facilitator.Verification;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * What reads the EVM chain of {@code gateway.payments.network}. Nothing is asked before it is
 * needed.
 *
 * @param settings what reads it, and how deep is deep enough
 * @param rpc its nodes
 */
public record ChainAssembly(ChainSettings settings, JsonRpc rpc) {

  /** The longest {@code gateway.payments.max-timeout}, and what clocks may differ by. */
  private static final Duration LONGEST_LIFE = Duration.ofMinutes(70);

  static final BigInteger GWEI = BigInteger.valueOf(1_000_000_000);

  private static final Duration CONNECT = Duration.ofSeconds(2);

  /** The chain, if there are nodes to read it with. */
  public static Optional<ChainAssembly> of(GatewaySettings settings) {
    ChainSettings chain = settings.chain();
    if (chain.rpcUrl().isEmpty()) {
      return Optional.empty();
    }
    long chainId = TokenDomain.chainId(settings.payments().network());
    HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT).build();
    return Optional.of(
        new ChainAssembly(chain, new JsonRpc(http, chain.nodes(), chainId, chain.rpcDeadline())));
  }

  /** What forbids the start, one sentence each; empty if nothing does. */
  static List<String> problems(GatewaySettings settings) {
    boolean missing =
        settings.payments().mode() == PaymentSettings.Mode.CHAIN
            && settings.chain().rpcUrl().isEmpty();
    return missing
        ? List.of("gateway.payments.mode=chain needs a node of the chain: gateway.chain.rpc-url")
        : List.of();
  }

  /** Says whether a payment would settle. */
  Verification.Check verifier(Clock clock, Optional<ApprovalFunds> funds) {
    Set<EvmAddress> factories =
        settings.erc6492Factories().stream()
            .map(EvmAddress::parse)
            .collect(Collectors.toUnmodifiableSet());
    Signatures signatures = Signatures.fastest();
    return Verification.Check.either(
        Permit2::isMethodOf,
        new ChainPermit2Verifier(clock, signatures, rpc, funds)::verify,
        new ChainEvmVerifier(clock, signatures, rpc, factories)::verify);
  }

  /** Says whether a payment has settled. */
  Evidence evidence() {
    return new ChainEvidence(
        rpc,
        new Finality(
            settings.confirmations(), settings.finalDepth(), LONGEST_LIFE, settings.logBlocks()));
  }

  /** Says what channels hold. */
  ChannelReader channels(DataSource database, Clock clock) {
    return new ChannelReader(rpc, database, settings.confirmations(), clock);
  }

  /** What payers are given for gas, if the settings have a budget for it. */
  Optional<ApprovalFunds> approvals(DataSource database, Clock clock) {
    BigInteger budget = GWEI.multiply(BigInteger.valueOf(settings.approvalBudget()));
    return budget.signum() == 0
        ? Optional.empty()
        : Optional.of(new ApprovalFunds(rpc, database, budget, clock));
  }

  /** Says what accounts have. */
  Balances balances() {
    return new ChainBalances(rpc);
  }
}
