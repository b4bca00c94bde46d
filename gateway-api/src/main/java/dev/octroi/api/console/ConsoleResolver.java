package dev.octroi.api.console;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the console to its resource, on every implementation and without injection. */
public final class ConsoleResolver implements ContextResolver<Console> {

  private final Console console;

  public ConsoleResolver(Console console) {
    this.console = console;
  }

  @Override
  public @Nullable Console getContext(Class<?> type) {
    return type == Console.class ? console : null;
  }
}
