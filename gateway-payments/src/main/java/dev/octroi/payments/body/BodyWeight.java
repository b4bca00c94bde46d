package dev.octroi.payments.body;

/**
 * What it takes in memory to work with a body, found out while the body is read: the bytes, their
 * texts, what is sent on, and a node for each value of JSON, which may be twenty times as large as
 * its text. For one body.
 *
 * <p>Measured: a call of a language model holds a body's bytes, the text that they hold, the
 * parser's copy of it at two bytes a character, and the request that is made of it. {@code {}} in
 * an array is a node with a map of its own; each stands behind a comma, colon, bracket or brace.
 */
public final class BodyWeight {

  private static final int COPIES = 6;
  private static final int NODE_BYTES = 48;

  private long bytes;
  private long nodes;

  /** Looks at so many more bytes of it. */
  void add(byte[] chunk, int length) {
    bytes += length;
    for (int i = 0; i < length; i++) {
      byte one = chunk[i];
      if (one == ',' || one == ':' || one == '{' || one == '[') {
        nodes++;
      }
    }
  }

  /** What its bytes take, however often they are copied. */
  long copies() {
    return COPIES * bytes;
  }

  /** What its values take as a tree. */
  long tree() {
    return NODE_BYTES * nodes;
  }
}
