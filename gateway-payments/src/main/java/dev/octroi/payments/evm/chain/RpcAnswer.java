package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;

/** What a node says to one call. */
public sealed interface RpcAnswer {

  /** Its result; a JSON null where there is none. */
  record Result(JsonNode value) implements RpcAnswer {}

  /**
   * The node understood and refused, such as a transaction that it knows already.
   *
   * @param code JSON-RPC's error code
   * @param message the node's own words, not for payers
   */
  record Refused(long code, String message) implements RpcAnswer {}
}
