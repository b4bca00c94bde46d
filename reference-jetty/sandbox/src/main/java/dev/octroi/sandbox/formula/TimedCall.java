package dev.octroi.sandbox.formula;

import dev.octroi.sandbox.vendor.SandboxRequest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of a vendor, which its contract has checked.
 *
 * @param parameters of path and query, with the contract's defaults
 * @param now the time that it is answered for, in Unix seconds
 */
public record TimedCall(Map<String, String> parameters, byte[] body, long now) {

  /** A call at a time. */
  public static TimedCall of(SandboxRequest request, long now) {
    Map<String, String> parameters = new HashMap<>(request.call().query());
    parameters.putAll(request.call().path());
    return new TimedCall(Map.copyOf(parameters), request.body(), now);
  }

  /** A parameter; null where it is absent or blank. */
  public @Nullable String text(String name) {
    String given = parameters.getOrDefault(name, "").strip();
    return given.isEmpty() ? null : given;
  }

  /** Values given repeatedly or separated by commas; empty where the parameter is absent. */
  public List<String> list(String name) {
    return Arrays.stream(parameters.getOrDefault(name, "").split(","))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }
}
