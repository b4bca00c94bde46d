package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What happens on the chains. Each of the wallets acts once in each slot of time; whom it pays and
 * with what follows from slot and wallet in a way that can be turned round, so that a wallet's
 * transactions, a coin's, a block's and the one of a hash are the same ones.
 */
final class Activity {

  private static final long SLOT = 1_800;
  private static final int KINDS = 6;
  private static final int STEP = 11;

  /** Any other address acts more rarely. */
  private static final long OTHERS_SLOT = 5 * 3_600;

  /** How far a wallet's history goes back. */
  private static final long HISTORY = 2 * 86_400;

  private static final int OF_WALLET = 0;
  private static final int OF_OTHER = 1;
  private static final int OF_UNLISTED = 2;
  private static final int OF_FILL = 3;

  /** Hashes of other worlds are of transactions of these years. */
  private static final long EARLIEST = 1_704_067_200;

  private static final long LATEST = 1_767_225_600;

  private static final Pattern HASH = Pattern.compile("0x[0-9a-f]{64}");
  private static final Comparator<Tx> NEWEST =
      Comparator.comparingLong(Tx::time).reversed().thenComparing(Tx::key);

  private Activity() {}

  /** All transactions of the wallets between two times, both included, the newest first. */
  static List<Tx> between(Chain chain, long from, long to) {
    return slots(from, to)
        .boxed()
        .flatMap(
            slot ->
                IntStream.range(0, Wallets.COUNT).mapToObj(sender -> ofWallet(chain, slot, sender)))
        .filter(tx -> tx.time() >= from && tx.time() <= to)
        .sorted(NEWEST)
        .toList();
  }

  private static LongStream slots(long from, long to) {
    return LongStream.rangeClosed(Math.floorDiv(from, SLOT), Math.floorDiv(to, SLOT));
  }

  /** What an address did and was paid, the newest first. */
  static List<Tx> of(String address, Chain chain, long now) {
    int place = Wallets.place(address);
    List<Tx> found = new ArrayList<>();
    if (place < 0) {
      long newest = now / OTHERS_SLOT - 1;
      int count = 60 + Chance.below(Chance.key("activity", address, chain.name()), 0, 120);
      LongStream.range(0, count).forEach(back -> found.add(ofOther(chain, newest - back, address)));
    } else {
      slots(now - HISTORY, now)
          .forEach(
              slot -> {
                found.add(ofWallet(chain, slot, place));
                int payer = Math.floorMod(place - distance(chain, slot), Wallets.COUNT);
                found.add(ofWallet(chain, slot, payer));
              });
      found.removeIf(
          tx -> tx.time() > now || (!tx.from().equals(address) && !tx.to().equals(address)));
    }
    found.sort(NEWEST);
    return found;
  }

  /** What moved or exchanged a coin between two times, both included, the newest first. */
  static List<Tx> of(Asset asset, Chain chain, boolean swaps, long from, long to) {
    if (asset.index() < 0) {
      long gap = swaps ? 240 : 420;
      return LongStream.rangeClosed(Math.floorDiv(from, gap), Math.floorDiv(to, gap))
          .mapToObj(slot -> ofUnlisted(chain, slot * 2 + (swaps ? 1 : 0), asset))
          .filter(tx -> tx.time() >= from && tx.time() <= to)
          .sorted(NEWEST)
          .toList();
    }
    Predicate<Tx> wanted = tx -> tx.asset().equals(asset) && (tx.kind() == Tx.Kind.SWAP) == swaps;
    boolean coin = chain.coin().equals(asset);
    List<Tx> found = new ArrayList<>();
    slots(from, to)
        .forEach(
            slot -> {
              int first = Math.floorMod(asset.index() - STEP * slot - chain.index(), assets());
              for (int sender = coin ? 0 : first;
                  sender < Wallets.COUNT;
                  sender += coin ? 1 : assets()) {
                if (kind(chain, slot, sender) < 2 == swaps) {
                  found.add(ofWallet(chain, slot, sender));
                }
              }
            });
    found.removeIf(tx -> tx.time() < from || tx.time() > to || !wanted.test(tx));
    found.sort(NEWEST);
    return found;
  }

  private static int assets() {
    return Asset.ALL.size();
  }

  /**
   * The transaction of a hash. One that no answer named is of a time before those that are listed.
   *
   * @throws Refusal 404 if it is of another chain, or no hash
   */
  static Tx of(String text, Chain chain) {
    String hash = text.toLowerCase(Locale.ROOT);
    if (!HASH.matcher(hash).matches() || hash.startsWith(World.UNKNOWN)) {
      throw Refusal.notFound("Transaction");
    }
    Tx.Origin origin = Tx.Origin.of(hash);
    if (origin == null) {
      return elsewhere(hash, chain);
    }
    if (origin.chain() != chain.index()) {
      throw Refusal.notFound("Transaction");
    }
    return switch (origin.kind()) {
      case OF_WALLET -> ofWallet(chain, origin.slot(), Wallets.place(origin.address()));
      case OF_OTHER -> ofOther(chain, origin.slot(), origin.address());
      case OF_UNLISTED -> ofUnlisted(chain, origin.slot(), Asset.at(origin.address()));
      default -> ofFill(origin.address(), origin.slot());
    };
  }

  private static Tx elsewhere(String hash, Chain chain) {
    long key = Chance.key("tx", hash);
    long time = EARLIEST + (long) (Chance.unit(key, 10) * (LATEST - EARLIEST));
    String from = Chance.address(Chance.key("from", hash));
    String to = Chance.address(Chance.key("to", hash));
    return new Tx(
        chain,
        new Tx.Origin(-1, chain.index(), 0, hash),
        inBlock(chain, time),
        from,
        to,
        Tx.Kind.NATIVE,
        chain.coin(),
        key);
  }

  /** The transaction by which a trade of a prediction market was settled. */
  static Tx ofFill(String address, long time) {
    Chain chain = Chain.of("polygon");
    long key = Chance.key("fill", address, time);
    String to = Chance.address(Chance.key("market exchange"));
    Tx.Origin origin = new Tx.Origin(OF_FILL, chain.index(), time, address);
    return new Tx(chain, origin, time, address, to, Tx.Kind.TOKEN, Asset.of("USDC"), key);
  }

  private static long inBlock(Chain chain, long time) {
    return chain.time(chain.block(time));
  }

  /** How far along whom a wallet pays stands, in a slot. */
  private static int distance(Chain chain, long slot) {
    return 1 + Chance.below(Chance.key("pays", chain.index(), slot), 0, Wallets.COUNT - 1);
  }

  /** Two kinds in six are exchanges, two move the chain's coin, two another. */
  private static int kind(Chain chain, long slot, int sender) {
    return Math.floorMod(sender + slot + chain.index(), KINDS);
  }

  private static Tx ofWallet(Chain chain, long slot, int sender) {
    long key = Chance.key("sends", chain.index(), slot, sender);
    long time = slot * SLOT + Chance.below(key, 20, (int) SLOT);
    int kind = kind(chain, slot, sender);
    String from = Wallets.on(chain).get(sender);
    boolean swap = kind < 2;
    boolean moved = kind < 4 && !swap;
    int asset = Math.floorMod(sender + STEP * slot + chain.index(), assets());
    String other =
        Wallets.on(chain).get(Math.floorMod(sender + distance(chain, slot), Wallets.COUNT));
    return new Tx(
        chain,
        new Tx.Origin(OF_WALLET, chain.index(), slot, from),
        inBlock(chain, time),
        from,
        swap && !chain.isBase58() ? Tx.router(key) : other,
        swap ? Tx.Kind.SWAP : moved ? Tx.Kind.NATIVE : Tx.Kind.TOKEN,
        moved ? chain.coin() : Asset.ALL.get(asset),
        key);
  }

  private static Tx ofOther(Chain chain, long slot, String address) {
    boolean base58 = !address.startsWith("0x");
    long key = Chance.key("other", chain.index(), slot, address);
    long time = slot * OTHERS_SLOT + Chance.below(key, 20, (int) OTHERS_SLOT);
    String partner =
        String.valueOf(Chance.pick(key, 21, Wallets.ENTITIES).get(base58 ? "base58" : "address"));
    boolean pays = Chance.unit(key, 22) < 0.5;
    boolean coin = Chance.unit(key, 23) < 0.4;
    return new Tx(
        chain,
        new Tx.Origin(OF_OTHER, chain.index(), slot, address),
        inBlock(chain, time),
        pays ? address : partner,
        pays ? partner : address,
        coin ? Tx.Kind.NATIVE : Tx.Kind.TOKEN,
        coin ? chain.coin() : Chance.pick(key, 24, Asset.ALL),
        key);
  }

  /** The number of a slot is even for a movement, odd for an exchange. */
  private static Tx ofUnlisted(Chain chain, long slot, Asset asset) {
    boolean swap = slot % 2 == 1;
    long gap = swap ? 240 : 420;
    long key = Chance.key("unlisted", chain.index(), slot, asset.contract());
    List<String> wallets = Wallets.on(chain);
    String from = Chance.pick(key, 21, wallets);
    return new Tx(
        chain,
        new Tx.Origin(OF_UNLISTED, chain.index(), slot, asset.contract()),
        inBlock(chain, slot / 2 * gap + Chance.below(key, 20, (int) gap)),
        from,
        swap ? Tx.router(key) : Chance.pick(key, 22, wallets),
        swap ? Tx.Kind.SWAP : Tx.Kind.TOKEN,
        asset,
        key);
  }
}
