package dev.octroi.reference.process;

import java.net.URI;
import java.nio.file.Path;

/** The built jar selling the sandbox's models, and one that never ends, to a key that has money. */
final class ModelShop implements AutoCloseable {

  /** Runs at {@link #endless}. */
  static final String ENDLESS = "grok-4.3";

  final EndlessModel endless;
  final URI base;
  final String key;
  private final Running gateway;

  ModelShop(Path data) throws Exception {
    endless = new EndlessModel();
    gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.language.upstreams.xai", endless.address().toString())
            .start();
    base = gateway.awaitReady();
    key =
        new Operator(base, data)
            .post("keys", "{\"name\":\"sdk\",\"fund\":\"10\"}")
            .path("secret")
            .asText();
  }

  @Override
  public void close() {
    gateway.close();
    endless.close();
  }
}
