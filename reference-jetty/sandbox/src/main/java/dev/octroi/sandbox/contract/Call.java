package dev.octroi.sandbox.contract;

import java.util.Map;

/**
 * A request that a contract knows.
 *
 * @param operation method, space and the path as the contract writes it: {@code GET
 *     /wallet/{wallet}}
 * @param path the values of the path's variables
 * @param query the values of the query's parameters, those of a repeated one joined by commas, with
 *     the contract's defaults
 */
public record Call(String operation, Map<String, String> path, Map<String, String> query)
    implements Checked {

  /** No operation at all: what a refused request has. */
  public static final Call NONE = new Call("", Map.of(), Map.of());

  public Call {
    path = Map.copyOf(path);
    query = Map.copyOf(query);
  }
}
