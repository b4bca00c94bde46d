package dev.octroi.api.setup;

import dev.octroi.api.settings.FacilitatorSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.settings.PaymentSettings.TokenSettings;
import dev.octroi.api.settings.PaymentSettings.TokenSettings.TransferMethod;
import dev.octroi.api.settings.PaymentSettings.UptoSettings;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.chain.ChainChannelVerifier;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.chain.RemoteChannels;
import dev.octroi.payments.evm.channel.ChannelVerifier;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.Permit2Verifier;
import dev.octroi.payments.evm.permit2.TokenPermit;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.FacilitatorAuth;
import dev.octroi.payments.facilitator.HttpFacilitator;
import dev.octroi.payments.facilitator.HttpFacilitator.FacilitatorReport;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.facilitator.SignedTokens;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.flow.CreditBounds.CreditTerms;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Chooses who verifies and settles, by {@code gateway.payments.mode}. */
public record FacilitatorAssembly(GatewaySettings settings, DataSource database, Clock clock) {

  /** What forbids the start in this mode, one sentence each; empty if nothing does. */
  static List<String> problems(GatewaySettings settings) {
    PaymentSettings payments = settings.payments();
    boolean real = payments.mode() != PaymentSettings.Mode.SANDBOX;
    List<String> problems = new ArrayList<>();
    if (real && payments.payTo().equals(PaymentSettings.NOBODY)) {
      problems.add(
          "gateway.payments.pay-to is the example, which has no owner: set it to your own address");
    }
    if (payments.mode() == PaymentSettings.Mode.REMOTE) {
      problems.addAll(settings.facilitator().problems());
    }
    if (payments.mode() == PaymentSettings.Mode.REMOTE
        && payments.channels().offered()
        && settings.chain().rpcUrl().isEmpty()) {
      problems.add(
          "gateway.payments.channels.offered needs a node of the chain where facilitators settle:"
              + " gateway.chain.rpc-url");
    }
    problems.addAll(ChainAssembly.problems(settings));
    problems.addAll(RelayAssembly.problems(settings));
    problems.addAll(SolanaAssembly.problems(settings));
    problems.addAll(TreasuryAssembly.problems(settings));
    return problems;
  }

  /**
   * The facilitators, one for each network that is accepted.
   *
   * @throws InvalidSettings if the mode cannot be had
   */
  public List<Facilitator> facilitators() {
    List<Facilitator> facilitators = new ArrayList<>();
    facilitators.add(first());
    solana().facilitator().ifPresent(facilitators::add);
    return List.copyOf(facilitators);
  }

  private Facilitator first() {
    return switch (settings.payments().mode()) {
      case SANDBOX -> sandbox();
      case REMOTE -> solana().watched(remote());
      case CHAIN -> RelayAssembly.of(settings, database, clock);
    };
  }

  private SolanaAssembly solana() {
    return new SolanaAssembly(settings, database, clock);
  }

  /** With nodes of the chain, what a facilitator leaves open is found out there. */
  private HttpFacilitator remote() {
    Verification.Check checks =
        Verification.Check.either(
            Permit2::isMethodOf,
            localPermits()::verifyLeavingContracts,
            localChecks()::verifyLeavingContracts);
    return ChainAssembly.of(settings)
        .map(chain -> watched(chain, checks))
        .orElseGet(() -> remote(checks));
  }

  private HttpFacilitator watched(ChainAssembly chain, Verification.Check checks) {
    ChannelReader channels = chain.channels(database, clock);
    EvmAddress anybody = EvmAddress.parse(settings.payments().payTo());
    ChainChannelVerifier verifier =
        new ChainChannelVerifier(clock, Signatures.fastest(), chain.rpc(), channels, anybody);
    HttpFacilitator remote =
        remote(Verification.Check.either(PaymentRequirements::isChannel, verifier::verify, checks));
    RemoteChannels refunds =
        new RemoteChannels(
            remote, chain.rpc(), channels, settings.facilitator().remote().settle(), clock);
    return remote.watching(
        settings.payments().network(), chain.evidence(), chain.balances(), Optional.of(refunds));
  }

  private HttpFacilitator remote(Verification.Check checks) {
    return new HttpFacilitator(
        settings.facilitator().remote(),
        auth(settings.facilitator(), clock),
        remoteNetworks(settings),
        Map.of(
            ChainFamily.EVM.namespace(),
            checks,
            ChainFamily.SOLANA.namespace(),
            solana().localChecks()),
        clock);
  }

  private static List<String> remoteNetworks(GatewaySettings settings) {
    List<String> networks = new ArrayList<>(List.of(settings.payments().network()));
    if (SolanaAssembly.isRemote(settings)) {
      networks.add(settings.solana().network());
    }
    return networks;
  }

  /** What remote facilitators say now; nothing in the other modes. */
  public static List<FacilitatorReport> reports(GatewaySettings settings, Clock clock) {
    return settings.payments().mode() == PaymentSettings.Mode.REMOTE
        ? HttpFacilitator.reports(
            settings.facilitator().remote(),
            auth(settings.facilitator(), clock),
            remoteNetworks(settings),
            clock)
        : List.of();
  }

  private static FacilitatorAuth auth(FacilitatorSettings from, Clock clock) {
    return switch (from.auth()) {
      case NONE -> FacilitatorAuth.NONE;
      case BEARER -> FacilitatorAuth.bearer(from.token().value());
      case JWT -> signedTokens(from, clock);
    };
  }

  private static FacilitatorAuth signedTokens(FacilitatorSettings from, Clock clock) {
    try {
      return new SignedTokens(
          from.key().value(), from.keyId(), from.issuer(), from.audience(), clock);
    } catch (IllegalArgumentException e) {
      throw new InvalidSettings(List.of("gateway.facilitator.key: " + e.getMessage()));
    }
  }

  private Facilitator sandbox() {
    return new SandboxFacilitator(
        Verification.Check.either(
            PaymentRequirements::isChannel,
            new ChannelVerifier(clock, Signatures.fastest())::verify,
            Verification.Check.either(
                Permit2::isMethodOf, localPermits()::verify, localChecks()::verify)),
        List.of(settings.payments().network()),
        Map.of(),
        Optional.of(Map.of(PaymentOption.FACILITATOR, PaymentSettings.NOBODY)),
        Optional.of(Map.of(PaymentOption.RECEIVER_AUTHORIZER, PaymentSettings.NOBODY)));
  }

  private ExactEvmVerifier localChecks() {
    return new ExactEvmVerifier(clock, Signatures.fastest());
  }

  private Permit2Verifier localPermits() {
    return new Permit2Verifier(clock, Signatures.fastest());
  }

  /** The stablecoin that is taken on the EVM network. */
  public static EvmToken token(PaymentSettings money) {
    return new EvmToken(
        money.network(),
        EvmAddress.parseChecked(money.asset()),
        money.assetName(),
        money.assetVersion());
  }

  /** What challenges announce of the tokens: that a first payment by Permit2 needs no gas. */
  public static Extensions announced(PaymentSettings money) {
    boolean sponsors =
        money.mode() == PaymentSettings.Mode.CHAIN
            && (money.upto().offered()
                || money.tokens().values().values().stream()
                    .anyMatch(
                        token ->
                            token.transferMethod() == TransferMethod.PERMIT2
                                && !token.name().isEmpty()));
    return sponsors ? TokenPermit.announced() : Extensions.NONE;
  }

  private static PaymentOption usual(PaymentSettings money) {
    return token(money)
        .payableTo(EvmAddress.parseChecked(money.payTo()), (int) money.maxTimeout().toSeconds());
  }

  /** The ways to pay whose refunds a treasury pays. */
  static List<PaymentOption> refunded(PaymentSettings money) {
    Stream<PaymentOption> others =
        money.tokens().words().stream()
            .map(money.tokens()::of)
            .filter(TokenSettings::refunds)
            .map(token -> option(money, token));
    return Stream.concat(Stream.of(usual(money)), others).toList();
  }

  private static PaymentOption option(PaymentSettings money, TokenSettings token) {
    Map<String, Object> extra = new HashMap<>();
    if (token.transferMethod() == TransferMethod.PERMIT2) {
      extra.put(PaymentOption.TRANSFER_METHOD, Permit2.METHOD);
    }
    if (!token.name().isEmpty()) {
      extra.put("name", token.name());
      extra.put("version", token.version());
    }
    return new PaymentOption(
        money.network(),
        EvmAddress.parseChecked(token.asset()).toString(),
        EvmAddress.parseChecked(money.payTo()).toString(),
        extra,
        (int) money.maxTimeout().toSeconds(),
        token.decimals());
  }

  /** What payers may owe whose answers leave before they are paid for. */
  public static CreditTerms credit(UptoSettings upto) {
    return new CreditTerms(upto.credit(), upto.strangerCredit(), upto.creditInAll());
  }

  /** The same way to pay, of which the payer signs a ceiling: always by Permit2. */
  private static PaymentOption ceiling(PaymentOption exact) {
    return exact.by(PaymentOption.UPTO, PaymentOption.TRANSFER_METHOD, Permit2.METHOD);
  }

  /** The same way to pay, out of a channel. */
  private static PaymentOption channel(PaymentOption exact, Duration withdrawDelay) {
    return exact.by(
        PaymentOption.CHANNEL, PaymentOption.WITHDRAW_DELAY, (int) withdrawDelay.toSeconds());
  }

  /** The ways to pay, the usual one of each network first. */
  public static List<PaymentOption> options(GatewaySettings from) {
    PaymentSettings money = from.payments();
    List<PaymentOption> options = new ArrayList<>();
    List<PaymentOption> channels = new ArrayList<>();
    PaymentOption usual = usual(money);
    options.add(usual);
    channels.add(channel(usual, money.channels().withdrawDelay()));
    for (String word : money.tokens().words()) {
      TokenSettings token = money.tokens().of(word);
      PaymentOption option = option(money, token);
      options.add(option);
      if (token.channels()) {
        channels.add(channel(option, money.channels().withdrawDelay()));
      }
    }
    if (money.upto().offered()) {
      options.addAll(options.stream().map(FacilitatorAssembly::ceiling).toList());
    }
    if (money.channels().offered()) {
      options.addAll(channels);
    }
    SolanaAssembly.option(from).ifPresent(options::add);
    return List.copyOf(options);
  }
}
