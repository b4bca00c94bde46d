package dev.octroi.war;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a test started, to be closed in the reverse order. */
final class Closing {

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  void all() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }
}
