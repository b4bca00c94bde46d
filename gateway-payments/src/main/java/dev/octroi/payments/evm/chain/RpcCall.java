package dev.octroi.payments.evm.chain;

import java.util.List;

/**
 * A JSON-RPC call.
 *
 * @param method such as {@code eth_call}
 * @param parameters its positional parameters, as Jackson writes them
 */
public record RpcCall(String method, List<?> parameters) {

  public RpcCall {
    parameters = List.copyOf(parameters);
  }

  /** A call by its method and parameters. */
  public static RpcCall of(String method, Object... parameters) {
    return new RpcCall(method, List.of(parameters));
  }
}
