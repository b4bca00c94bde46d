package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Owner;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What this node is working on, by payment: duplicates are told so without asking the database, and
 * the oldest entry says from when a sweep would have to look. Thread-safe.
 */
final class OpenClaims {

  /**
   * One payment, from the moment its claim is asked for until it is closed, or its answer was
   * delivered or certainly was not.
   */
  static final class Entry {

    private final ClaimRequest request;
    private final Instant since;
    private volatile @Nullable Claim claim;
    private volatile @Nullable Owner owner;
    private volatile boolean settling;
    private volatile @Nullable Long charged;
    private volatile boolean repeats;
    private volatile @Nullable Instant paid;
    private volatile boolean delivered;

    Entry(ClaimRequest request, Instant since) {
      this.request = request;
      this.since = since;
    }

    ClaimRequest request() {
      return request;
    }

    /** Whether it was paid for in an earlier call. */
    boolean repeats() {
      return repeats;
    }

    @Nullable Owner owner() {
      return owner;
    }

    void ownedBy(Owner by) {
      owner = by;
    }

    void hold(Claim held) {
      claim = held;
    }

    /** Holds a payment whose answer is had again. */
    void repeat(Claim held, Instant now) {
      repeats = true;
      paid = now;
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

    /** The money has moved, or is on its way; the answer is owed until it was delivered. */
    void paid(Instant now) {
      settling = true;
      paid = now;
    }

    /** The answer has left; the note of it may not be in the database yet. */
    void delivered() {
      delivered = true;
    }

    private boolean isPaid() {
      return paid != null;
    }

    private boolean isOwedSince(Instant moment) {
      Instant at = paid;
      return at != null && at.isBefore(moment) && !delivered;
    }

    /** From SETTLING on the binding is final (money rule 1), so that another one is turned away. */
    ClaimResult tell(ClaimRequest other) {
      boolean same =
          request.binding().equals(other.binding())
              && request.envelopeHash().equals(other.envelopeHash());
      if (other.channel().isPresent() && !same) {
        // Once it has paid, its channel is free for a voucher that is built on that.
        return new ClaimResult.Failed(isPaid() ? ChannelUse.MISMATCH : ChannelUse.BUSY);
      }
      boolean used = delivered || ((settling || repeats) && !same);
      return used ? new ClaimResult.Used() : new ClaimResult.InFlight();
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

  /** Claims that were paid for before a moment, and whose calls have not ended. */
  List<Claim> owedSince(Instant moment) {
    return entries.values().stream()
        .filter(entry -> entry.isOwedSince(moment))
        .map(entry -> entry.claim)
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Forgets the claims of epochs that have ended. The sweep takes none that is paid for: its answer
   * may be on its way yet.
   */
  void forget() {
    entries.values().removeIf(entry -> entry.claim != null && !entry.isPaid());
  }

  /** Since when the oldest has been open. */
  Instant oldest(Instant now) {
    return entries.values().stream().map(entry -> entry.since).min(Instant::compareTo).orElse(now);
  }
}
