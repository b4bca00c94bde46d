package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.chain.ChainEvidence.Block;
import dev.octroi.payments.evm.chain.ChainEvidence.Finality;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/** Finds what became of an authorization in the token's logs, a bounded range at a time. */
record AuthorizationLogs(JsonRpc rpc, Finality finality) {

  /** With a thousand blocks each, more than two days of a chain with a block a second. */
  private static final int MAX_QUERIES = 200;

  /**
   * The transaction of the first log that is looked for, if one is found.
   *
   * @param payment no block of its authorization's end or later can have used that
   * @param isIt asked of each log, in their order
   * @throws ChainUnavailable if no node answers, or its life has too many blocks
   */
  Optional<String> find(
      EvmAddress token,
      List<?> topics,
      UnresolvedPayment payment,
      Block head,
      Predicate<JsonNode> isIt) {
    BlockSearch blocks = new BlockSearch(rpc);
    long end = payment.validBefore().getEpochSecond();
    long last = end > head.time() ? head.number() : blocks.firstNotBefore(end, head);
    long from =
        blocks.firstNotBefore(young(payment).minus(finality.longestLife()).getEpochSecond(), head);
    for (int i = 0; i < MAX_QUERIES && from <= head.number(); i++) {
      long to = Math.min(from + finality.blocksPerQuery() - 1, head.number());
      Optional<String> found = in(token, topics, from, to, isIt);
      if (found.isPresent() || to > last) {
        return found;
      }
      from = to + 1;
    }
    if (from <= head.number()) {
      throw new ChainUnavailable("an authorization's life has too many blocks to be searched");
    }
    return Optional.empty();
  }

  /** Another server's may live for longer, and was used about when it became unresolved here. */
  private static Instant young(UnresolvedPayment payment) {
    return payment.since().isBefore(payment.validBefore())
        ? payment.since()
        : payment.validBefore();
  }

  private Optional<String> in(
      EvmAddress token, List<?> topics, long from, long to, Predicate<JsonNode> isIt) {
    RpcCall logs =
        RpcCall.of(
            "eth_getLogs",
            Map.of(
                "address", token.lowerCase(),
                "topics", topics,
                "fromBlock", Quantities.hex(from),
                "toBlock", Quantities.hex(to)));
    // A node that is behind has no logs of blocks that it does not have, and does not say so.
    List<JsonNode> answers = rpc.read(List.of(logs, Block.call(Quantities.hex(to))));
    if (answers.get(1).isNull()) {
      throw new ChainUnavailable("a node was asked for logs that does not have block " + to);
    }
    return StreamSupport.stream(answers.get(0).spliterator(), false)
        .filter(isIt)
        .map(AuthorizationLogs::transaction)
        .findFirst();
  }

  private static String transaction(JsonNode log) {
    return log.path("transactionHash").asText();
  }

  /** The transaction of a log, or of a receipt. */
  JsonNode sent(JsonNode log) {
    return known("eth_getTransactionByHash", transaction(log));
  }

  /** Its receipt. */
  JsonNode receipt(JsonNode log) {
    return known("eth_getTransactionReceipt", transaction(log));
  }

  /**
   * What a node says of a transaction that is in the chain.
   *
   * @throws ChainUnavailable if it does not know it: it is behind, or keeps no more of so old ones
   */
  private JsonNode known(String method, String transaction) {
    JsonNode said = rpc.read(method, transaction);
    if (said.isNull()) {
      throw new ChainUnavailable("a node does not know transaction " + transaction);
    }
    return said;
  }

  /** Finds blocks by their time, asking for some forty of them at most. */
  private record BlockSearch(JsonRpc rpc) {

    private static final long FIRST_STEP = 256;

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
}
