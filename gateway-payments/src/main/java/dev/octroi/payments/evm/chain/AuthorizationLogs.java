package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Finds what became of an authorization in the token's logs, a bounded range at a time. */
final class AuthorizationLogs {

  /** With a thousand blocks each, more than two days of a chain with a block a second. */
  private static final int MAX_QUERIES = 200;

  private final JsonRpc rpc;
  private final Finality finality;

  AuthorizationLogs(JsonRpc rpc, Finality finality) {
    this.rpc = rpc;
    this.finality = finality;
  }

  /**
   * The transaction that used or cancelled it, if one is found.
   *
   * @param validBefore no block of this time or later can have used it
   */
  Optional<String> find(PaidTransfer transfer, Instant validBefore, Block head) {
    BlockSearch blocks = new BlockSearch(rpc);
    long end = validBefore.getEpochSecond();
    long last = end > head.time() ? head.number() : blocks.firstNotBefore(end, head);
    long from =
        blocks.firstNotBefore(validBefore.minus(finality.longestLife()).getEpochSecond(), head);
    for (int i = 0; i < MAX_QUERIES && from <= head.number(); i++) {
      long to = Math.min(from + finality.blocksPerQuery() - 1, head.number());
      Optional<String> found = in(transfer, from, to);
      if (found.isPresent() || to > last) {
        return found;
      }
      from = to + 1;
    }
    return Optional.empty();
  }

  private Optional<String> in(PaidTransfer transfer, long from, long to) {
    JsonNode logs =
        rpc.read(
            "eth_getLogs",
            Map.of(
                "address", transfer.asset().lowerCase(),
                "topics", transfer.topics(),
                "fromBlock", Quantities.hex(from),
                "toBlock", Quantities.hex(to)));
    return logs.isEmpty()
        ? Optional.empty()
        : Optional.of(logs.get(0).path("transactionHash").asText());
  }
}
