package dev.octroi.api.setup;

import dev.octroi.api.settings.ChainSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.settings.Secret;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.chain.ApprovalFunds;
import dev.octroi.payments.evm.chain.ChainChannelVerifier;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.relay.ChannelOrders;
import dev.octroi.payments.evm.relay.EvmFacilitator;
import dev.octroi.payments.evm.relay.RelaySettings;
import dev.octroi.payments.evm.relay.RelaySettings.Wait;
import dev.octroi.payments.evm.relay.RelayerKey;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.x402.PaymentRequirements;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** What settles where {@code gateway.payments.mode=chain}. */
public final class RelayAssembly {

  private RelayAssembly() {}

  /** What forbids the start, one sentence each, never with a key in it; empty if nothing does. */
  static List<String> problems(GatewaySettings settings) {
    List<String> problems = new ArrayList<>();
    if (settings.payments().mode() == PaymentSettings.Mode.CHAIN) {
      try {
        if (keys(settings.chain()).isEmpty()) {
          problems.add(
              "gateway.payments.mode=chain needs the key of a wallet that pays for gas:"
                  + " gateway.chain.relayer-keys or gateway.chain.relayer-keys-file");
        }
      } catch (InvalidSettings e) {
        problems.addAll(e.problems());
      }
    }
    return problems;
  }

  /** The facilitator, at work. */
  static EvmFacilitator of(GatewaySettings settings, DataSource database, Clock clock) {
    ChainAssembly chain = ChainAssembly.of(settings).orElseThrow();
    List<RelayerKey> keys = keys(settings.chain());
    Optional<ChannelReader> channels =
        Optional.of(chain.channels(database, clock))
            .filter(reader -> settings.payments().channels().offered());
    Optional<ApprovalFunds> approvals = chain.approvals(database, clock);
    Verification.Check usual = chain.verifier(clock, approvals);
    EvmFacilitator facilitator =
        new EvmFacilitator(
            new EvmFacilitator.Parts(
                chain.rpc(),
                channels
                    .map(
                        reader ->
                            Verification.Check.either(
                                PaymentRequirements::isChannel,
                                new ChainChannelVerifier(
                                        clock,
                                        Signatures.fastest(),
                                        chain.rpc(),
                                        reader,
                                        keys.get(0).address(),
                                        approvals)
                                    ::verify,
                                usual))
                    .orElse(usual),
                chain.evidence(),
                keys,
                database,
                channels,
                approvals),
            relay(settings.chain())
                .refundingAtLeast(settings.payments().channels().claimLeast().micros())
                .build(),
            clock);
    facilitator.start();
    return facilitator;
  }

  /** Settles other servers' channels; empty where no chain of this gateway holds any. */
  public static Optional<ChannelOrders> orders(
      GatewaySettings settings, List<Facilitator> facilitators, Channels charged) {
    PaymentSettings payments = settings.payments();
    return in(facilitators)
        .flatMap(
            relay ->
                relay.orders(
                    EvmAddress.parse(payments.payTo()),
                    id -> charged.find(payments.network(), id).isPresent()));
  }

  /** This node's relay, if it has one. */
  static Optional<EvmFacilitator> in(List<Facilitator> facilitators) {
    return facilitators.stream()
        .filter(EvmFacilitator.class::isInstance)
        .map(EvmFacilitator.class::cast)
        .findFirst();
  }

  private static RelaySettings.Builder relay(ChainSettings chain) {
    return RelaySettings.builder()
        .waiting(
            chain.waitUntil() == ChainSettings.Wait.BROADCAST ? Wait.BROADCAST : Wait.CONFIRMED)
        .confirmedAfter(chain.confirmations())
        .payingAtMost(ChainAssembly.GWEI.multiply(BigInteger.valueOf(chain.feeCap())))
        .batching(chain.batchSize(), chain.batchWindow())
        .within(chain.resendAfter(), chain.settleDeadline());
  }

  /**
   * Each once, however often it was given.
   *
   * @throws InvalidSettings if one cannot be read
   */
  public static List<RelayerKey> keys(ChainSettings chain) {
    Map<String, RelayerKey> wallets = new LinkedHashMap<>();
    for (Secret key : chain.relayerKeys()) {
      RelayerKey wallet = wallet("gateway.chain.relayer-keys", key.value());
      wallets.put(wallet.address().toString(), wallet);
    }
    for (String line : chain.relayerKeysFile().map(RelayAssembly::lines).orElse(List.of())) {
      RelayerKey wallet = wallet("gateway.chain.relayer-keys-file", line);
      wallets.put(wallet.address().toString(), wallet);
    }
    return List.copyOf(wallets.values());
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .map(String::trim)
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new InvalidSettings(List.of("gateway.chain.relayer-keys-file cannot be read: " + file));
    }
  }

  private static RelayerKey wallet(String setting, String key) {
    try {
      return RelayerKey.fromHex(key);
    } catch (IllegalArgumentException e) {
      throw new InvalidSettings(List.of(setting + ": " + e.getMessage()));
    }
  }
}
