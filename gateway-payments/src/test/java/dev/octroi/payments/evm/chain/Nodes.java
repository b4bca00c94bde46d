package dev.octroi.payments.evm.chain;

import dev.octroi.testchain.Anvil;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;

/** Readers of any nodes. */
final class Nodes {

  static final Duration DEADLINE = Duration.ofSeconds(5);

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private Nodes() {}

  static JsonRpc reading(URI... urls) {
    return reading(DEADLINE, urls);
  }

  static JsonRpc reading(Duration deadline, URI... urls) {
    return new JsonRpc(HTTP, List.of(urls), Anvil.CHAIN_ID, deadline);
  }
}
