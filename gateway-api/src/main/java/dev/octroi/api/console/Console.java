package dev.octroi.api.console;

import dev.octroi.api.house.Mounted;
import dev.octroi.api.settings.GatewaySettings;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The console's files: a closed list, each read from the jar when it is first asked for.
 * Thread-safe.
 */
public final class Console {

  /** The console's resource classes, for {@code Application#getClasses}. */
  public static final List<Class<?>> RESOURCES = List.of(ConsoleResource.class);

  static final String PAGE = "index.html";

  private static final Set<String> FILES =
      Set.of(
          "api.js",
          "chart.umd.js",
          "console.css",
          "dom.js",
          "doubt.js",
          "format.js",
          "icon.svg",
          "keys.js",
          "main.js",
          "overview.js",
          "payment.js",
          "payments.js",
          "plot.js",
          "prices.js",
          "table.js",
          "upstreams.js",
          "work.js");

  private final boolean open;
  private final Map<String, ConsoleFile> read = new ConcurrentHashMap<>();

  /** Open if it is wanted and there is an operator's token to sign in with. */
  public Console(GatewaySettings settings) {
    this.open = settings.console().enabled() && !settings.admin().token().value().isEmpty();
  }

  /**
   * The console of an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static Console of(Providers providers) {
    return Mounted.of(providers, Console.class);
  }

  Optional<ConsoleFile> page() {
    return open ? Optional.of(load(PAGE)) : Optional.empty();
  }

  /** What the page names; empty for everything else. */
  Optional<ConsoleFile> file(String name) {
    return open && FILES.contains(name) ? Optional.of(load(name)) : Optional.empty();
  }

  private ConsoleFile load(String name) {
    return read.computeIfAbsent(name, ConsoleFile::read);
  }
}
