package dev.octroi.services.prediction;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.octroi.services.upstream.UpstreamSettings;
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

/** A vendor on the loopback that answers from a world of lists and remembers its requests. */
final class ListVendor implements AutoCloseable {

  /** A request: path below the base address, and decoded parameters. */
  record Asked(String path, Map<String, List<String>> query) {

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

    List<String> values(String name) {
      return query.getOrDefault(name, List.of());
    }

    Optional<String> value(String name) {
      return values(name).stream().findFirst();
    }
  }

  /** An answer. */
  record Said(int status, String body) {
    static Said ok(String body) {
      return new Said(200, body);
    }
  }

  private final WireServer server;
  private final List<Asked> requests = new CopyOnWriteArrayList<>();

  ListVendor(World world) {
    try {
      server =
          WireServer.start(
              (request, wire) -> {
                Asked asked = Asked.of(request.target());
                requests.add(asked);
                Said said = world.answer(asked);
                wire.json(said.status(), said.body());
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every request in order of arrival. */
  List<Asked> requests() {
    return requests;
  }

  UpstreamSettings settings() {
    return server.settings().with(Vendor.WORDS);
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
