package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of one chain in their configured order; one that failed lately is asked after the
 * others. Thread-safe.
 *
 * @param nodes at least one
 */
record RpcNodes(List<RpcNode> nodes) {

  private static final Logger LOG = LoggerFactory.getLogger(RpcNodes.class);

  RpcNodes {
    nodes = List.copyOf(nodes);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a chain is read through at least one node");
    }
  }

  /** Reads from the first node that answers. */
  JsonNode read(String method, Object... parameters) throws IOException {
    List<RpcNode> order = inOrder();
    for (RpcNode node : order.subList(0, order.size() - 1)) {
      try {
        return node.read(method, parameters);
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        LOG.warn("Node {} of {}: {}", nodes.indexOf(node) + 1, nodes.size(), e.getMessage());
      }
    }
    return order.get(order.size() - 1).read(method, parameters);
  }

  /** Asks one node, and no other if it fails: what has an effect may have had it. */
  RpcReply ask(String method, Object... parameters) throws IOException {
    return inOrder().get(0).ask(method, parameters);
  }

  /** Throws {@link IOException} unless each node says, now, that it is of the chain. */
  void requireChain() throws IOException {
    for (RpcNode node : nodes) {
      node.requireChain();
    }
  }

  /** The node that is asked first at the moment, alone. */
  RpcNodes first() {
    return nodes.size() == 1 ? this : new RpcNodes(inOrder().subList(0, 1));
  }

  private List<RpcNode> inOrder() {
    List<RpcNode> order = new ArrayList<>(nodes);
    order.sort(Comparator.comparing(RpcNode::failedLately));
    return order;
  }
}
