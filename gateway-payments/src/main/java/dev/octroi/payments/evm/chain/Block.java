package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A block's place and time.
 *
 * @param number its height
 * @param time Unix seconds
 */
record Block(long number, long time) {

  /** The call that reads one, by its tag or its number in hex. */
  static RpcCall call(String tagOrNumber) {
    return RpcCall.of("eth_getBlockByNumber", tagOrNumber, false);
  }

  static Block of(JsonNode block) {
    return new Block(
        Quantities.small(block.path("number")), Quantities.small(block.path("timestamp")));
  }
}
