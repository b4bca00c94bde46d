package dev.octroi.sandbox.formula;

import dev.octroi.sandbox.vendor.SandboxRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One call of a vendor.
 *
 * @param request what came in
 * @param variables values of the path's variables
 * @param now the time that it is answered for, in Unix seconds
 */
public record Call(SandboxRequest request, Map<String, String> variables, long now) {

  /** A parameter of the path or query; null where it is absent or blank. */
  public @Nullable String text(String name) {
    String variable = variables.get(name);
    if (variable != null) {
      return variable;
    }
    String given = String.join(",", given(name)).strip();
    return given.isEmpty() ? null : given;
  }

  /** Values given repeatedly or separated by commas; empty where the parameter is absent. */
  public List<String> list(String name) {
    return Stream.concat(Stream.ofNullable(variables.get(name)), given(name).stream())
        .flatMap(value -> Arrays.stream(value.split(",")))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  private List<String> given(String name) {
    return request.query().getOrDefault(name, List.of());
  }
}
