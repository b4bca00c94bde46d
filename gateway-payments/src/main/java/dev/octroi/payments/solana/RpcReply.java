package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;

/** What a node says to one call. */
sealed interface RpcReply {

  /** Its result; a JSON null where there is none. */
  record Result(JsonNode value) implements RpcReply {}

  /**
   * The node understood and refused.
   *
   * @param code JSON-RPC's error code
   * @param data what the error carries besides
   */
  record Refused(int code, JsonNode data) implements RpcReply {}
}
