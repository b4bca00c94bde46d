package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Item;
import dev.octroi.sandbox.formula.Values;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One transaction on a chain.
 *
 * @param origin what its hash stands for
 * @param time that of its block
 * @param kind what it does
 * @param asset what is moved, or exchanged for dollars
 * @param key from which its amounts follow
 */
record Tx(
    Chain chain, Origin origin, long time, String from, String to, Kind kind, Asset asset, long key)
    implements Item {

  private static final List<String> EXCHANGES = List.of("uniswap", "curve", "aerodrome");

  /** How many bytes of a hash say what it stands for. */
  private static final int PAYLOAD = 26;

  /** The length of a hash as text. */
  private static final int HASH = 66;

  private static final HexFormat HEX = HexFormat.of();

  /**
   * What a hash stands for.
   *
   * @param kind of which history
   * @param chain the number of the chain
   * @param slot the place in the history
   * @param address whose history
   */
  record Origin(int kind, int chain, long slot, String address) {

    /** What a hash stands for; null if it is none that was given. */
    static @Nullable Origin of(String hash) {
      byte[] opened = Seal.opened("tx", HEX.parseHex(hash.substring(2)), PAYLOAD);
      return opened == null
          ? null
          : new Origin(
              opened[0],
              opened[1],
              ByteBuffer.wrap(opened, 2, 4).getInt() & 0xffffffffL,
              "0x" + HEX.formatHex(opened, 6, PAYLOAD));
    }

    /** The hash; that of a chain of base58 addresses cannot be turned round. */
    String hash() {
      if (!address.startsWith("0x")) {
        long key = Chance.key("signature", kind, chain, slot, address);
        return Chance.base58(key) + Chance.base58(key + 1);
      }
      ByteBuffer payload = ByteBuffer.allocate(PAYLOAD);
      payload.put((byte) kind).put((byte) chain).putInt((int) slot);
      payload.put(HEX.parseHex(address.substring(2)));
      return "0x" + HEX.formatHex(Seal.sealed("tx", payload.array(), 32));
    }
  }

  /** What a transaction does. */
  enum Kind {
    NATIVE,
    TOKEN,
    SWAP
  }

  /** The contract through which an exchange is done. */
  static String router(long key) {
    return Chance.address(Chance.key("router", Chance.pick(key, 7, EXCHANGES)));
  }

  /** A hash of another world stands for itself. */
  String hash() {
    return origin.address().length() == HASH ? origin.address() : origin.hash();
  }

  double usd() {
    return Values.round(Chance.skewed(key, 1, 5, 250_000), 2);
  }

  private double amount(Asset of) {
    return Values.significant(usd() / of.raw(time));
  }

  private Asset dollar() {
    return Asset.of(asset.symbol().equals("USDC") ? "USDT" : "USDC");
  }

  private boolean buys() {
    return Chance.unit(key, 2) < 0.5;
  }

  long block() {
    return chain.block(time);
  }

  @Override
  public String type() {
    return "tx";
  }

  @Override
  public @Nullable Object get(String name, long now) {
    return switch (name) {
      case "hash" -> hash();
      case "chain" -> chain;
      case "time" -> time;
      case "block" -> block();
      case "block_hash" -> chain.blockHash(block());
      case "from" -> from;
      case "to" -> to;
      case "is_swap" -> kind == Kind.SWAP;
      case "asset" -> asset;
      case "usd" -> usd();
      case "amount" -> amount(asset);
      case "value" -> kind == Kind.NATIVE ? amount(asset) : 0.0;
      case "gas" -> 21_000 + (long) (kind == Kind.NATIVE ? 0 : Chance.between(key, 3, 0, 400_000));
      case "gas_gwei" -> Values.round(chain.gas(time) * Chance.between(key, 4, 1, 1.2), 6);
      case "index" -> (long) Chance.below(key, 5, 250);
      case "nonce" -> time / 1_800 % 100_000;
      case "success" -> Chance.unit(key, 6) < 0.97;
      case "project" -> Chance.pick(key, 7, EXCHANGES);
      case "version" -> Chance.pick(key, 8, List.of("2", "3", "4"));
      case "bought" -> buys() ? asset : dollar();
      case "sold" -> buys() ? dollar() : asset;
      case "bought_amount" -> amount(buys() ? asset : dollar());
      case "sold_amount" -> amount(buys() ? dollar() : asset);
      case "pair" -> asset.symbol() + "-" + dollar().symbol();
      case "key" -> key;
      default -> NONE;
    };
  }
}
