package dev.octroi.services.language;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a prompt and how they may be asked for.
 *
 * @param choice null for the protocol's default
 * @param parallel whether several may be asked for at once; null for the protocol's default
 */
public record Tooling(List<Tool> tools, @Nullable ToolChoice choice, @Nullable Boolean parallel) {

  public static final Tooling NONE = new Tooling(List.of(), null, null);

  public Tooling {
    tools = List.copyOf(tools);
  }
}
