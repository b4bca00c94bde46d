package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.chain.GasLimits;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.x402.PaymentOption;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that pay for gas. The one with the least under way is chosen, among those that can still
 * pay for all of it and for one more. Thread-safe.
 */
final class Relayers {

  private static final Logger LOG = LoggerFactory.getLogger(Relayers.class);
  private static final BigInteger LOW = BigInteger.valueOf(50);
  private static final int DECIMALS_OF_ETHER = 18;
  private static final TransactionQueries.Load NOTHING =
      new TransactionQueries.Load(0, BigInteger.ZERO);

  private final Map<EvmAddress, RelayerKey> keys = new LinkedHashMap<>();
  private final Set<EvmAddress> low = ConcurrentHashMap.newKeySet();
  private final String network;
  private final BigInteger feeCap;
  private final Optional<Map<String, Object>> channelExtra;
  private volatile boolean ready = true;
  private volatile Optional<Map<String, Object>> uptoExtra;
  private volatile Map<EvmAddress, BigInteger> seen = Map.of();

  Relayers(List<RelayerKey> wallets, String network, BigInteger feeCap) {
    wallets.forEach(wallet -> keys.put(wallet.address(), wallet));
    this.network = network;
    this.feeCap = feeCap;
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("a relay needs the key of a wallet that pays for gas");
    }
    uptoExtra = keys.keySet().stream().findFirst().map(Relayers::naming);
    channelExtra =
        keys.keySet().stream()
            .findFirst()
            .map(key -> Map.of(PaymentOption.RECEIVER_AUTHORIZER, key.toString()));
  }

  List<EvmAddress> addresses() {
    return List.copyOf(keys.keySet());
  }

  Collection<RelayerKey> all() {
    return Collections.unmodifiableCollection(keys.values());
  }

  Optional<RelayerKey> find(EvmAddress address) {
    return Optional.ofNullable(keys.get(address));
  }

  /** Whether a relayer could and would pay for a settlement when this node last looked. */
  boolean isReady() {
    return ready;
  }

  /** What offers of upto say: the first who could pay for gas then; empty where none could. */
  Optional<Map<String, Object>> uptoExtra() {
    return uptoExtra;
  }

  /**
   * What offers of channels say: the first key, whether or not it could pay for gas, for it is part
   * of what channels are; empty while none of the keys could.
   */
  Optional<Map<String, Object>> channelExtra() {
    return ready ? channelExtra : Optional.empty();
  }

  private static Map<String, Object> naming(EvmAddress address) {
    return Map.of(PaymentOption.FACILITATOR, address.toString());
  }

  /** What each has for gas, in wei, when it was last looked at. */
  Map<EvmAddress, BigInteger> balances() {
    return seen;
  }

  /**
   * Which relayer is to pay; empty if none can pay this much on top of what is under way.
   *
   * @param sender the only one that may; empty if any may
   */
  Optional<RelayerKey> choose(
      Situation now,
      Map<EvmAddress, TransactionQueries.Load> load,
      BigInteger cost,
      Optional<EvmAddress> sender) {
    return keys.values().stream()
        .filter(key -> sender.isEmpty() || key.address().equals(sender.get()))
        .filter(key -> left(key.address(), now, load).compareTo(cost) >= 0)
        .min(Comparator.comparingLong(key -> load.getOrDefault(key.address(), NOTHING).open()));
  }

  /** Notes who can pay, and says in the log what to do about those who cannot. */
  void look(Situation now, Map<EvmAddress, TransactionQueries.Load> load) {
    seen = Map.copyOf(now.balances());
    Fees fees = now.within(feeCap);
    boolean isCheap = fees.isWithin(feeCap);
    BigInteger one = fees.cost(GasLimits.TRANSFER);
    keys.keySet().forEach(address -> warn(address, left(address, now, load), one));
    boolean can = isCheap && choose(now, load, one, Optional.empty()).isPresent();
    if (ready && !isCheap) {
      LOG.error(
          "Gas on {} costs {} wei, more than gateway.chain.fee-cap lets it: until it falls nothing"
              + " can be paid for there; nothing is charged and nothing is lost",
          network,
          fees.max());
    } else if (ready && !can) {
      LOG.error(
          "No relayer can pay for gas on {}: send ether to one of {}. Until then nothing can be"
              + " paid for there; nothing is charged and nothing is lost",
          network,
          keys.keySet());
    } else if (!ready && can) {
      LOG.info("Relayers can pay for gas on {} again", network);
    }
    ready = can;
    BigInteger permit = fees.cost(GasLimits.PERMIT);
    Optional<Map<String, Object>> extra =
        keys.keySet().stream()
            .filter(address -> isCheap && left(address, now, load).compareTo(permit) >= 0)
            .findFirst()
            .map(Relayers::naming);
    if (!extra.equals(uptoExtra)) {
      uptoExtra = extra;
    }
  }

  private void warn(EvmAddress address, BigInteger left, BigInteger one) {
    if (left.compareTo(one.multiply(LOW)) >= 0) {
      low.remove(address);
    } else if (low.add(address)) {
      LOG.warn(
          "Relayer {} has {} ether left for gas on {}, fewer than {} settlements: send it more",
          address,
          new BigDecimal(left, DECIMALS_OF_ETHER).toPlainString(),
          network,
          LOW);
    }
  }

  private static BigInteger left(
      EvmAddress address, Situation now, Map<EvmAddress, TransactionQueries.Load> load) {
    BigInteger balance = now.balances().getOrDefault(address, BigInteger.ZERO);
    return balance.subtract(load.getOrDefault(address, NOTHING).cost());
  }
}
