package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.facilitator.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Who waits for which payment on this node, by payer and nonce. Thread-safe. */
final class PendingSettlements {

  /** A payment and who waits for it. */
  record Entry(TransferCall call, Waiting waiting) {}

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  /** Enters a newcomer; returns what waits for this payment already, if any. */
  Optional<Waiting> enter(TransferCall call, Waiting newcomer) {
    return Optional.ofNullable(entries.putIfAbsent(key(call), new Entry(call, newcomer)))
        .map(Entry::waiting);
  }

  void leave(TransferCall call, Waiting gone) {
    entries.computeIfPresent(key(call), (key, entry) -> entry.waiting() == gone ? null : entry);
  }

  /** All that wait at this moment. */
  List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  void tell(TransferCall call, Settlement settlement) {
    Entry entry = entries.get(key(call));
    if (entry != null) {
      entry.waiting().tell(settlement);
    }
  }

  void stored(TransferCall call, String hash, Instant now) {
    Entry entry = entries.get(key(call));
    if (entry != null) {
      entry.waiting().stored(hash, now);
    }
  }

  private static String key(TransferCall call) {
    return call.payer().lowerCase() + Hex.of(call.nonce());
  }
}
