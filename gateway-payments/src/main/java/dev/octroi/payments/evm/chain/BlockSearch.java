package dev.octroi.payments.evm.chain;

import java.util.List;

/** Finds blocks by their time, asking for some forty of them at most. */
final class BlockSearch {

  private static final long FIRST_STEP = 256;

  private final JsonRpc rpc;

  BlockSearch(JsonRpc rpc) {
    this.rpc = rpc;
  }

  /**
   * The first block whose time is not before {@code seconds}, or {@code head} if there is none.
   *
   * @param head where to look from; payments are young, so it walks back in growing steps
   */
  long firstNotBefore(long seconds, Block head) {
    long above = head.number();
    long step = FIRST_STEP;
    long below = Math.max(above - step, 0);
    while (below > 0 && at(below).time() >= seconds) {
      above = below;
      step *= 4;
      below = Math.max(above - step, 0);
    }
    while (below < above) {
      long middle = below + (above - below) / 2;
      if (at(middle).time() >= seconds) {
        above = middle;
      } else {
        below = middle + 1;
      }
    }
    return above;
  }

  private Block at(long number) {
    return Block.of(rpc.read(List.of(Block.call(Quantities.hex(number)))).get(0));
  }
}
