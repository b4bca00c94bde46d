package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.facilitator.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Who waits for which payment on this node, by payer and nonce. Thread-safe. */
final class WaitingRoom {

  /** A payment and who waits for it. */
  record Guest(TransferCall call, Waiting waiting) {}

  private final Map<String, Guest> guests = new ConcurrentHashMap<>();

  /** Enters a newcomer; returns the one who waits for this payment already, if any. */
  Optional<Waiting> enter(TransferCall call, Waiting newcomer) {
    return Optional.ofNullable(guests.putIfAbsent(key(call), new Guest(call, newcomer)))
        .map(Guest::waiting);
  }

  void leave(TransferCall call, Waiting gone) {
    guests.computeIfPresent(key(call), (key, guest) -> guest.waiting() == gone ? null : guest);
  }

  /** All guests at this moment. */
  List<Guest> guests() {
    return List.copyOf(guests.values());
  }

  void tell(TransferCall call, Settlement settlement) {
    Guest guest = guests.get(key(call));
    if (guest != null) {
      guest.waiting().tell(settlement);
    }
  }

  void stored(TransferCall call, String hash, Instant now) {
    Guest guest = guests.get(key(call));
    if (guest != null) {
      guest.waiting().stored(hash, now);
    }
  }

  private static String key(TransferCall call) {
    return call.payer().lowerCase() + Hex.of(call.nonce());
  }
}
