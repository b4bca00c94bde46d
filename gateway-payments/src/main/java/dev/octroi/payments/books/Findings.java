package dev.octroi.payments.books;

import java.util.ArrayList;
import java.util.List;

/** Collects differences up to a number; how many more there are is of no use to the operator. */
final class Findings {

  private final int most;
  private final List<Difference> differences = new ArrayList<>();
  private boolean more;

  Findings(int most) {
    this.most = most;
  }

  void add(Difference difference) {
    if (differences.size() < most) {
      differences.add(difference);
    } else {
      more = true;
    }
  }

  boolean isFull() {
    return more;
  }

  List<Difference> differences() {
    return differences;
  }
}
