package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Who stands behind a wallet of venue A. */
final class Identity {

  private static final List<String> MANNERS =
      List.of("Quick", "Calm", "Bright", "Patient", "Bold", "Quiet", "Lucky", "Steady");
  private static final List<String> ANIMALS =
      List.of("Otter", "Heron", "Lynx", "Badger", "Falcon", "Marten", "Raven", "Ibex");

  private Identity() {}

  static String name(Wallet wallet) {
    long key = wallet.key();
    return pick(MANNERS, key, 21) + "-" + pick(ANIMALS, key, 22);
  }

  private static String pick(List<String> words, long key, int place) {
    return words.get(Chance.below(key, place, words.size()));
  }

  static Row of(Wallet wallet, Instant now) {
    long key = wallet.key();
    String name = name(wallet);
    long today = now.getEpochSecond() / 86_400 * 86_400;
    String display = name.toLowerCase(Locale.ROOT).replace("-", "_") + key % 1_000;
    return Row.of("address", wallet.address(), "signer", signer(wallet))
        .with("type", Chance.unit(key, 23) < 0.8 ? "proxy" : "safe")
        .with("display_name", display)
        .with("pseudonym", name)
        .with("bio", null)
        .with("profile_image", null)
        .with("x_username", Chance.unit(key, 24) < 0.3 ? display : null)
        .with("verified_badge", Chance.unit(key, 25) < 0.1)
        .with("is_creator", false)
        .with("is_mod", false)
        .with("usdc_balance", Numbers.usd(Chance.between(key, 26, 0, 25_000)))
        .with("last_transfer_at", today - Chance.below(key, 27, 400_000))
        .with("created_at", today - 86_400L * (130 + Chance.below(key, 28, 500)))
        .with("profile_fetched_at", today);
  }

  private static String signer(Wallet wallet) {
    return Chance.hex("signer " + wallet.address(), 40);
  }
}
