package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Seeded;

/**
 * A history of events, newest first, that grows with time and never changes behind it: each event
 * belongs to a slot of time, and its values to the slot. Pages over it do not overlap.
 *
 * @param seed whose history
 * @param gap seconds from event to event, on average
 * @param now Unix seconds
 */
record Timeline(String seed, long gap, long now) {

  /** The values of the event so many places before the newest. */
  Seeded values(int index) {
    return Seeded.of(seed, slot(index));
  }

  /** When it happened: within its slot, so that the order holds. */
  long time(int index) {
    return slot(index) * gap + Seeded.of(seed, slot(index), "time").whole(0, gap - 1);
  }

  /** The event's place in all of history. */
  long slot(int index) {
    return now / gap - 1 - index;
  }
}
