package dev.octroi.sandbox.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Identities and clusters of wallets. */
final class IdentityReads {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_ADDRESSES = 200;
  private static final int PENDING_SECONDS = 60;

  private IdentityReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/wallet/identity/:wallet", ask -> identity(ask, ask.wallet("wallet")))
        .get(
            "/wallet/identity/:address",
            ask -> identity(ask, ask.wallet("address")).with("venue", Venue.A.word()))
        .post("/venue-a/wallet/identities", IdentityReads::identities)
        .get("/venue-a/wallet/:wallet/cluster", IdentityReads::cluster);
  }

  private static Row identity(Ask ask, Wallet wallet) {
    return Row.of("address", wallet.address(), "found", true)
        .with("profile", Identity.of(wallet, ask.now()));
  }

  private static Row identities(Ask ask) {
    JsonNode addresses = body(ask).path("addresses");
    if (!addresses.isArray() || addresses.isEmpty()) {
      throw VendorRefusal.invalid("body", "addresses", "Field required", "missing");
    }
    if (addresses.size() > MOST_ADDRESSES) {
      String message = "List should have at most " + MOST_ADDRESSES + " items";
      throw VendorRefusal.invalid("body", "addresses", message, "too_long");
    }
    Row profiles = new Row();
    for (JsonNode address : addresses) {
      if (!address.asText().equalsIgnoreCase(Wallet.UNKNOWN)) {
        Wallet wallet = Wallet.hex(address.asText());
        profiles.with(wallet.address(), Identity.of(wallet, ask.now()));
      }
    }
    return Row.of("profiles", profiles);
  }

  private static JsonNode body(Ask ask) {
    try {
      return JSON.readTree(ask.request().body());
    } catch (IOException e) {
      throw VendorRefusal.invalid("body", "addresses", "JSON decode error", "json_invalid");
    }
  }

  private static Object cluster(Ask ask) {
    Wallet seed = ask.wallet("wallet");
    if (seed.address().equals(Wallet.PENDING)) {
      Row pending =
          Row.of("status", "compute_pending", "retry_after_seconds", PENDING_SECONDS)
              .with("reason", "miss")
              .with("message", "Cluster is being computed");
      String wait = String.valueOf(PENDING_SECONDS);
      return new SandboxAnswer(202, pending, Map.of("Retry-After", wait));
    }
    List<Row> siblings = new ArrayList<>();
    List<Wallet> wallets = ask.universe().ledger().wallets();
    Set<Wallet> seen = new HashSet<>();
    int count = 1 + Chance.below(seed.key(), 31, 4);
    for (int i = 0; i < count; i++) {
      Wallet sibling = wallets.get(Chance.below(seed.key(), 32 + i, wallets.size()));
      if (!sibling.equals(seed) && seen.add(sibling)) {
        siblings.add(sibling(seed, sibling, i));
      }
    }
    long hour = ask.now().getEpochSecond() / 3_600 * 3_600;
    return Row.of("seed", seed.address(), "siblings", siblings, "computed_at", hour);
  }

  private static Row sibling(Wallet seed, Wallet sibling, int number) {
    long key = seed.key() ^ sibling.key();
    int out = 1 + Chance.below(key, 1, 3);
    int in = 1 + Chance.below(key, 2, 3);
    Row flow =
        Row.of("amount_str", String.valueOf(1_000_000L * (5 + Chance.below(key, 3, 900))))
            .with("tx_count", 1 + Chance.below(key, 4, 9))
            .with("direction", "out");
    Row peer = Row.of("addr", Chance.hex("peer " + key, 40));
    Row peers = Row.of("destinations", List.of(), "sources", List.of(peer));
    Row evidence =
        Row.of("hops", Row.of("out", out, "in", in), "bidirectional", Chance.unit(key, 5) < 0.5)
            .with("class", null)
            .with("is_verified_trader", true)
            .with("direct_flow", List.of(flow))
            .with("shared_peers", peers.with("count", 1 + Chance.below(key, 6, 40)));
    return Row.of("address", sibling.address(), "confidence", 100 - 9 * number)
        .with("min_hops", Math.min(out, in))
        .with("evidence", evidence);
  }
}
