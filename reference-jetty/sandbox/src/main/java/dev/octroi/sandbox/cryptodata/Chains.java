package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Chains themselves: bridges, yields, gas and single transactions. */
record Chains(World world) implements Family {

  private static final List<String> BRIDGES =
      List.of(
          "across",
          "stargate",
          "cctp",
          "wormhole",
          "hop",
          "synapse",
          "celer",
          "layerzero",
          "mayan",
          "debridge",
          "orbiter",
          "relay",
          "squid",
          "axelar",
          "symbiosis",
          "rhino",
          "allbridge",
          "butter",
          "router",
          "socket",
          "connext",
          "portal",
          "thor",
          "chainflip");

  private static final Map<String, Integer> CHAIN_IDS =
      Map.ofEntries(
          Map.entry("ethereum", 1),
          Map.entry("polygon", 137),
          Map.entry("bsc", 56),
          Map.entry("arbitrum", 42161),
          Map.entry("optimism", 10),
          Map.entry("base", 8453),
          Map.entry("avalanche", 43114),
          Map.entry("fantom", 250),
          Map.entry("linea", 59144),
          Map.entry("cyber", 7560),
          Map.entry("solana", 900));

  private static final int POOLS = 120;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /onchain/bridge/ranking", this::bridges,
        "GET /onchain/yield/ranking", this::yields,
        "GET /onchain/gas-price", this::gas,
        "GET /onchain/tx", this::transaction);
  }

  static int id(String chain) {
    return CHAIN_IDS.getOrDefault(chain, 0);
  }

  private Fields bridges(Ask ask) {
    long now = Spans.floor(world.now(), Spans.HOUR);
    double days = (double) Spans.seconds(ask.text("time_range")) / Spans.DAY;
    List<Fields> rows =
        BRIDGES.stream()
            .map(
                bridge -> {
                  double volume =
                      new Drift("bridge:" + bridge)
                          .level(Seeded.of("bridge", bridge).skewed(2e5, 4e7, 0), 0.8, now);
                  return Fields.of("project", bridge)
                      .and("tx_count", Math.round(volume * days / 900))
                      .and("volume_usd", Figures.round(volume * days, 2));
                })
            .toList();
    return Answers.page(ask, Answers.sorted(rows, "volume_usd", "desc"));
  }

  private Fields yields(Ask ask) {
    List<Fields> pools =
        IntStream.range(0, POOLS)
            .mapToObj(this::pool)
            .filter(pool -> ask.accepts("project", pool.get("project")))
            .toList();
    return Answers.page(ask, Answers.sorted(pools, ask.text("sort_by"), ask.text("order")));
  }

  private Fields pool(int index) {
    Seeded seeded = Seeded.of("pool", index);
    long now = Spans.floor(world.now(), Spans.HOUR);
    Token token = seeded.pick(Token.ALL);
    double base = new Drift("apy:" + index).level(seeded.skewed(0.4, 18, 3), 0.5, now);
    double reward = seeded.chance(0.5) ? seeded.uniform(0, 6, 4) : 0;
    return Fields.of("apy", Figures.round(Figures.round(base, 4) + reward, 4))
        .and("apy_base", Figures.round(base, 4))
        .and("apy_reward", reward)
        .and("pool_address", seeded.address())
        .and("project", seeded.pick(Project.DEFI).slug())
        .and("symbol", token.symbol())
        .and("token_address", token.contract())
        .and(
            "tvl_usd",
            Figures.round(new Drift("tvl:" + index).level(seeded.skewed(1e5, 9e8, 0), 0.4, now), 2))
        .and("version", seeded.pick(List.of("v2", "v3", "v4")));
  }

  private Fields gas(Ask ask) {
    String chain = ask.text("chain");
    double usual = chain.equals("ethereum") ? 2.4 : chain.equals("polygon") ? 32 : 0.05;
    double gwei = Figures.round(new Drift("gas:" + chain).level(usual, 1.5, world.now()), 6);
    return Answers.plain(
        Fields.of("chain", chain)
            .and("gas_price", BigDecimal.valueOf(gwei).movePointRight(9).toBigInteger().toString())
            .and("gas_price_gwei", gwei));
  }

  private Fields transaction(Ask ask) {
    String hash = world.transaction(ask.text("hash"));
    String chain = ask.text("chain");
    Seeded seeded = Seeded.of("tx", hash, chain);
    String from = seeded.address();
    String to = seeded.address();
    long price = seeded.whole(50_000_000L, 9_000_000_000L);
    Fields tx =
        Fields.of("accessList", List.of(Fields.of("address", to).and("storageKeys", List.of())))
            .and("blobVersionedHashes", List.of())
            .and("blockHash", seeded.transactionHash())
            .and("blockNumber", hex(seeded.whole(18_000_000, 23_000_000)))
            .and("chainId", hex(id(chain)))
            .and("from", from)
            .and("from_label", Labels.of(from))
            .and("gas", hex(seeded.whole(21_000, 400_000)))
            .and("gasPrice", hex(price))
            .and("hash", hash)
            .and("input", "0x" + seeded.hex(8));
    tx.putAll(
        Fields.of("maxFeePerBlobGas", null)
            .and("maxFeePerGas", hex(price * 2))
            .and("maxPriorityFeePerGas", hex(price / 10))
            .and("nonce", hex(seeded.whole(0, 4_000)))
            .and("r", seeded.transactionHash())
            .and("s", seeded.transactionHash())
            .and("to", to)
            .and("to_label", Labels.of(to))
            .and("transactionIndex", hex(seeded.whole(0, 250)))
            .and("type", "0x2")
            .and("v", "0x1")
            .and("value", hex(seeded.whole(0, 4_000_000_000_000_000_000L)))
            .and("yParity", "0x1"));
    return Answers.page(ask, List.of(tx));
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }
}
