package dev.octroi.payments.books;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The lines of the journal that pay for something, in the order of their payments' ids. */
final class BookedLines {

  /** A line, and the payment that it belongs to. */
  record Booked(UUID payment, LineComparison.Line line) {}

  private final Iterator<Booked> lines;
  private @Nullable Booked next;

  /**
   * Reads the lines once.
   *
   * @param lines in the order in which databases have ids: by their bytes, unsigned
   */
  BookedLines(Iterator<Booked> lines) {
    this.lines = lines;
    this.next = following();
  }

  /** The lines of a payment; each call asks for a later one. */
  List<LineComparison.Line> of(UUID payment) {
    List<LineComparison.Line> found = new ArrayList<>(1);
    for (Booked line = next; line != null && compare(line.payment(), payment) <= 0; line = next) {
      if (line.payment().equals(payment)) {
        found.add(line.line());
      }
      next = following();
    }
    return found;
  }

  private @Nullable Booked following() {
    return lines.hasNext() ? lines.next() : null;
  }

  private static int compare(UUID one, UUID other) {
    int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
  }
}
