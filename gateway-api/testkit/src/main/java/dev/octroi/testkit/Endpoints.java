package dev.octroi.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Every endpoint of crypto data and prediction, with what is declared for it. */
final class Endpoints {

  private static final JsonNode CRYPTO_DATA = Json.resource("cryptodata.json");
  private static final JsonNode PREDICTION = Json.resource("prediction.json");

  private static final List<Endpoint> ALL = load();

  private Endpoints() {}

  static Stream<Endpoint> all() {
    return ALL.stream();
  }

  /** Those that are answered to GET. */
  static Stream<Endpoint> reads() {
    return all().filter(Endpoint::isRead);
  }

  /** Those that cannot be asked without some argument of the query or the body. */
  static Stream<Endpoint> demanding() {
    return all().filter(endpoint -> !BadArguments.missing(endpoint).isEmpty());
  }

  /** Those with an argument that can be malformed. */
  static Stream<Endpoint> picky() {
    return all().filter(endpoint -> !BadArguments.malformed(endpoint).isEmpty());
  }

  static Endpoint named(String base, String name) {
    return all()
        .filter(endpoint -> endpoint.base().equals(base) && endpoint.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No endpoint " + name + " in " + base));
  }

  /** What is declared for no endpoint. */
  static Set<String> orphans() {
    Set<String> names = new TreeSet<>();
    CRYPTO_DATA.fieldNames().forEachRemaining(names::add);
    PREDICTION.fieldNames().forEachRemaining(names::add);
    all().map(Endpoint::name).forEach(names::remove);
    return names;
  }

  private static List<Endpoint> load() {
    List<Endpoint> all = new ArrayList<>();
    for (CryptoDataRead row : CryptoDataRead.values()) {
      all.add(row(Behaviour.CRYPTO_DATA, row));
    }
    all.add(post(Behaviour.CRYPTO_DATA, "POST_ONCHAIN_QUERY", "/onchain/query"));
    all.add(post(Behaviour.CRYPTO_DATA, "POST_ONCHAIN_SQL", "/onchain/sql"));
    for (PredictionRead row : PredictionRead.values()) {
      all.add(row(Behaviour.PREDICTION, row));
    }
    all.add(post(Behaviour.PREDICTION, "POST_WALLET_IDENTITIES", "/venue-a/wallet/identities"));
    return List.copyOf(all);
  }

  private static Endpoint row(String base, Read row) {
    return endpoint(base, row.name(), "GET", row.path(), row.parameters());
  }

  private static Endpoint post(String base, String name, String path) {
    return endpoint(base, name, "POST", path, List.of());
  }

  private static Endpoint endpoint(
      String base, String name, String method, String path, List<Parameter> parameters) {
    boolean crypto = base.equals(Behaviour.CRYPTO_DATA);
    JsonNode declared = (crypto ? CRYPTO_DATA : PREDICTION).path(name);
    if (declared.isMissingNode()) {
      throw new AssertionError("Nothing is declared for " + name + " of " + base);
    }
    String table = crypto ? "CryptoDataRead" : "PredictionRead";
    return new Endpoint(base, table, name, method, path, parameters, Sample.of(declared));
  }
}
