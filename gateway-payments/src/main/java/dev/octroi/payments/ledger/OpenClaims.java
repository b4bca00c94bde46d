package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.PaymentKey;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What this node is working on, by payment: duplicates are told so without asking the database, and
 * the oldest entry says from when a sweep would have to look. Thread-safe.
 */
final class OpenClaims {

  /** One payment, from the moment its claim is asked for until it is closed. */
  static final class Entry {

    private final ClaimRequest request;
    private final Instant since;
    private volatile @Nullable Claim claim;
    private volatile @Nullable Owner owner;
    private volatile boolean settling;
    private volatile @Nullable Long charged;
    private volatile boolean rerun;

    Entry(ClaimRequest request, Instant since) {
      this.request = request;
      this.since = since;
    }

    ClaimRequest request() {
      return request;
    }

    boolean isRerun() {
      return rerun;
    }

    @Nullable Owner owner() {
      return owner;
    }

    void ownedBy(Owner by) {
      owner = by;
    }

    void hold(Claim held, boolean isRerun) {
      rerun = isRerun;
      claim = held;
    }

    void charge(long amount) {
      charged = amount;
    }

    /** What will be charged in place of what was reserved; null if that is the same. */
    @Nullable Long charged() {
      return charged;
    }

    void settling() {
      settling = true;
    }

    /** From SETTLING on the binding is final (money rule 1), so that another one is turned away. */
    ClaimResult tell(ClaimRequest other) {
      boolean same =
          request.binding().equals(other.binding())
              && request.envelopeHash().equals(other.envelopeHash());
      return (settling || rerun) && !same ? new ClaimResult.Used() : new ClaimResult.InFlight();
    }
  }

  private final ConcurrentMap<PaymentKey, Entry> entries = new ConcurrentHashMap<>();

  /** Enters a request; returns who was there before. */
  Optional<Entry> enter(Entry entry) {
    return Optional.ofNullable(entries.putIfAbsent(entry.request.key(), entry));
  }

  /** The entry of this very claim. */
  Optional<Entry> of(Claim claim) {
    Entry entry = entries.get(claim.key());
    return entry != null && claim.equals(entry.claim) ? Optional.of(entry) : Optional.empty();
  }

  boolean isHeld(PaymentKey key) {
    Entry entry = entries.get(key);
    return entry != null && entry.claim != null;
  }

  void leave(Entry entry) {
    entries.remove(entry.request.key(), entry);
  }

  void leave(Claim claim) {
    of(claim).ifPresent(this::leave);
  }

  /** Forgets the claims of epochs that have ended. */
  void forget() {
    entries.values().removeIf(entry -> entry.claim != null);
  }

  /** Since when the oldest has been open. */
  Instant oldest(Instant now) {
    return entries.values().stream().map(entry -> entry.since).min(Instant::compareTo).orElse(now);
  }
}
