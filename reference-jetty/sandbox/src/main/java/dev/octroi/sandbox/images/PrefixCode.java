package dev.octroi.sandbox.images;

import java.util.Comparator;
import java.util.PriorityQueue;

/** A canonical prefix code made for how often symbols are used (RFC 9649, section 3.7.2). */
final class PrefixCode {

  private static final int LONGEST = 15;
  private static final int LENGTH_SYMBOLS = 19;
  private static final int LENGTH_BITS = 4;

  /** Of the symbols for lengths in the order of the file: whether it is one of 0 to 15. */
  private static final String PLAIN_LENGTHS = "0011111101111111111";

  private final int[] lengths;
  private final int[] codes;
  private final int only;

  /**
   * @param uses how often each symbol is used
   */
  PrefixCode(int[] uses) {
    int used = 0;
    int last = 0;
    for (int symbol = 0; symbol < uses.length; symbol++) {
      if (uses[symbol] > 0) {
        used++;
        last = symbol;
      }
    }
    only = used > 1 ? -1 : last;
    lengths = used > 1 ? lengths(uses) : new int[uses.length];
    codes = codes(lengths);
  }

  private sealed interface Node {

    long weight();
  }

  private record Leaf(int symbol, long weight) implements Node {}

  private record Branch(Node left, Node right, long weight) implements Node {}

  /** Rarer symbols count for more until no code is longer than the format allows. */
  private static int[] lengths(int[] uses) {
    int[] lengths = new int[uses.length];
    for (long least = 1; ; least *= 2) {
      PriorityQueue<Node> open = new PriorityQueue<>(Comparator.comparingLong(Node::weight));
      for (int symbol = 0; symbol < uses.length; symbol++) {
        if (uses[symbol] > 0) {
          open.add(new Leaf(symbol, Math.max(uses[symbol], least)));
        }
      }
      while (open.size() > 1) {
        Node one = open.remove();
        Node other = open.remove();
        open.add(new Branch(one, other, one.weight() + other.weight()));
      }
      if (measure(open.remove(), 0, lengths) <= LONGEST) {
        return lengths;
      }
    }
  }

  private static int measure(Node node, int depth, int[] lengths) {
    if (node instanceof Branch branch) {
      return Math.max(
          measure(branch.left(), depth + 1, lengths), measure(branch.right(), depth + 1, lengths));
    }
    lengths[((Leaf) node).symbol()] = depth;
    return depth;
  }

  /** Codes in the order of their lengths, the first bit lowest. */
  private static int[] codes(int[] lengths) {
    int[] codes = new int[lengths.length];
    int code = 0;
    for (int length = 1; length <= LONGEST; length++) {
      for (int symbol = 0; symbol < lengths.length; symbol++) {
        if (lengths[symbol] == length) {
          codes[symbol] = Integer.reverse(code++) >>> (32 - length);
        }
      }
      code <<= 1;
    }
    return codes;
  }

  /** Writes the code itself. */
  void describe(BitWriter out) {
    if (only >= 0) {
      out.write(0b101, 3); // simple, one symbol, of eight bits
      out.write(only, 8);
      return;
    }
    out.write(0, 1);
    out.write(LENGTH_SYMBOLS - 4, 4);
    for (int place = 0; place < LENGTH_SYMBOLS; place++) {
      out.write(PLAIN_LENGTHS.charAt(place) == '1' ? LENGTH_BITS : 0, 3);
    }
    out.write(0, 1); // all symbols have a length
    for (int length : lengths) {
      out.write(Integer.reverse(length) >>> (32 - LENGTH_BITS), LENGTH_BITS);
    }
  }

  /** Writes a symbol, which takes no bits if it is the only one. */
  void write(int symbol, BitWriter out) {
    out.write(codes[symbol], lengths[symbol]);
  }
}
