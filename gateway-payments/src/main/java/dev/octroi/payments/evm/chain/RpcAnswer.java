package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

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
  record Refused(long code, String message) implements RpcAnswer {

    /** The code that most nodes give to a call that reverted. */
    private static final long REVERT = 3;

    /** How nodes word that a contract's own code has ended a call, without spaces. */
    private static final List<String> ENDED =
        List.of("revert", "vmexecution", "invalidopcode", "outofgas", "stackunderflow");

    /** Whether the contract that was called ended the call, rather than the node. */
    boolean isOfTheContract() {
      String words = message.toLowerCase(Locale.ROOT).replace(" ", "");
      return code == REVERT || ENDED.stream().anyMatch(words::contains);
    }
  }
}
