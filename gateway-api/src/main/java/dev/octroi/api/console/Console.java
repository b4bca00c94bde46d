package dev.octroi.api.console;

import dev.octroi.api.house.Mounted;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.Sha256;
import jakarta.ws.rs.ext.Providers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
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
          "actions.js",
          "api.js",
          "changes.js",
          "chart.umd.js",
          "console.css",
          "credit.js",
          "dom.js",
          "doubt.js",
          "failures.js",
          "format.js",
          "grain.js",
          "icon.svg",
          "keys.js",
          "main.js",
          "margin.js",
          "operators.js",
          "overview.js",
          "payment.js",
          "payments.js",
          "plot.js",
          "prices.js",
          "routes.js",
          "table.js",
          "upstreams.js",
          "webhooks.js",
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

  /**
   * A file of the console as it is sent.
   *
   * @param type its media type
   * @param tag a weak tag of its bytes: they may be sent compressed
   */
  record ConsoleFile(byte[] bytes, String type, String tag) {

    private static final int TAG_BYTES = 12;

    /**
     * Reads a file from beside this class.
     *
     * @throws IllegalStateException if the jar does not have it
     */
    static ConsoleFile read(String name) {
      try (InputStream in = ConsoleFile.class.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalStateException("the console's " + name + " is missing from the jar");
        }
        byte[] bytes = in.readAllBytes();
        byte[] start = Arrays.copyOf(Sha256.of(bytes), TAG_BYTES);
        return new ConsoleFile(bytes, type(name), "W/\"" + HexFormat.of().formatHex(start) + '"');
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String type(String name) {
      return switch (name.substring(name.lastIndexOf('.') + 1)) {
        case "html" -> "text/html; charset=utf-8";
        case "css" -> "text/css; charset=utf-8";
        case "js" -> "text/javascript; charset=utf-8";
        case "svg" -> "image/svg+xml";
        default -> throw new IllegalArgumentException(name);
      };
    }
  }
}
