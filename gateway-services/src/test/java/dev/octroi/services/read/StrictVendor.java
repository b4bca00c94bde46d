package dev.octroi.services.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VenueWords;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A vendor on the loopback that refuses what its contract does not know. */
public final class StrictVendor implements AutoCloseable {

  /** What it says to a request that keeps the contract. */
  public interface World {
    Said answer(Asked asked);
  }

  /** A request: path below the base address, and decoded parameters. */
  public record Asked(String path, Map<String, List<String>> query) {

    static Asked of(String target) {
      URI asked = URI.create(target);
      Map<String, List<String>> query = new LinkedHashMap<>();
      String raw = asked.getRawQuery();
      for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
        int equals = pair.indexOf('=');
        query
            .computeIfAbsent(decoded(pair.substring(0, equals)), name -> new ArrayList<>())
            .add(decoded(pair.substring(equals + 1)));
      }
      return new Asked(asked.getPath().substring("/base".length()), query);
    }

    private static String decoded(String text) {
      return URLDecoder.decode(text, UTF_8);
    }

    public List<String> values(String name) {
      return query.getOrDefault(name, List.of());
    }

    public Optional<String> value(String name) {
      return values(name).stream().findFirst();
    }
  }

  /** An answer. */
  public record Said(int status, String body) {
    public static Said ok(String body) {
      return new Said(200, body);
    }
  }

  private final WireServer server;
  private final List<Asked> requests = new CopyOnWriteArrayList<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();

  public StrictVendor(VendorContract contract, World world) {
    try {
      server =
          WireServer.start(
              (request, wire) -> {
                Said said = answer(contract, world, Asked.of(request.target()));
                wire.json(said.status(), said.body());
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Said answer(VendorContract contract, World world, Asked asked) {
    requests.add(asked);
    Optional<String> fault = contract.fault(asked.path(), asked.query());
    fault.map(said -> asked + ": " + said).ifPresent(faults::add);
    return fault
        .map(wrong -> new Said(400, "{\"error\":{\"message\":\"strict\"}}"))
        .orElseGet(() -> world.answer(asked));
  }

  /** Every request in order of arrival. */
  public List<Asked> requests() {
    return requests;
  }

  /** What was wrong with requests. */
  public List<String> faults() {
    return faults;
  }

  public void forget() {
    requests.clear();
    faults.clear();
  }

  public UpstreamSettings settings(VenueWords words) {
    return server.settings().with(words);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
