package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.netting.Netting.NettingTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** API keys and the wallets behind them, {@code gateway.keys}. */
public record KeySettings(
    @Setting(
            about =
                "Seals the private keys of managed wallets: 32 bytes in base64, the same on every"
                    + " node; several separated by commas for a change of keys: the first one"
                    + " seals, all open. Without any, no API keys can be made or used.")
        Secret masterKey,
    @Setting(
            about =
                "A file with such keys, one a line or separated by commas, before those of"
                    + " `master-key`.")
        Optional<Path> masterKeyFile,
    @Setting(about = "Dollars that a call by a key may cost, unless the key says.", value = "100")
        Usd perCall,
    @Setting(about = "Dollars that a key may spend a day (UTC), unless it says.", value = "1000")
        Usd daily,
    @Setting(about = "Dollars that a key may spend a month (UTC), unless it says.")
        Optional<Usd> monthly,
    @Setting(
            about =
                "How calls by key are settled on a chain: `per-call`, each by a transfer of its"
                    + " own; or `netted`, owed at once and paid for by one transfer for many, where"
                    + " gas would cost more than a call.",
            value = "per-call")
        Settlement settlement,
    @Setting(about = "How long a netted call is owed for at most.", value = "1h")
        Duration nettingPeriod,
    @Setting(about = "Dollars owed by one account from which it pays at once.", value = "1")
        Usd nettingThreshold) {

  private static final int KEY_BYTES = 32;
  private static final String RULE = "master-key is 32 bytes in base64, or several with commas";

  /** How calls by key are settled. */
  public enum Settlement {
    PER_CALL,
    NETTED
  }

  public KeySettings {
    masterKeys(masterKey.value());
    if (nettingThreshold.isZero()) {
      throw new IllegalArgumentException("netting-threshold is above zero");
    }
    if (nettingPeriod.toSeconds() < 1 || nettingPeriod.toDays() > 31) {
      throw new IllegalArgumentException("netting-period is 1s to 31d");
    }
  }

  /** When calls by key are paid for together; empty: each by itself. */
  public Optional<NettingTerms> netting() {
    return settlement == Settlement.NETTED
        ? Optional.of(new NettingTerms(nettingPeriod, nettingThreshold))
        : Optional.empty();
  }

  /** What a key may spend unless it says. */
  public KeyLimits limits() {
    return new KeyLimits(Optional.of(perCall), Optional.of(daily), monthly);
  }

  /**
   * The master keys, the one that seals first; empty if there is none.
   *
   * @throws InvalidSettings if the file cannot be read or holds anything else
   */
  public List<byte[]> masterKeys() {
    List<byte[]> keys = new ArrayList<>();
    masterKeyFile.ifPresent(file -> keys.addAll(ofFile(file)));
    keys.addAll(masterKeys(masterKey.value()));
    return keys;
  }

  private static List<byte[]> ofFile(Path file) {
    try {
      return masterKeys(Files.readString(file));
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidSettings(
          List.of("gateway.keys.master-key-file cannot be read as keys: " + file));
    }
  }

  private static List<byte[]> masterKeys(String text) {
    List<byte[]> keys = new ArrayList<>();
    for (String key : text.split("[,\\s]+", -1)) {
      if (!key.isEmpty()) {
        keys.add(bytes(key));
      }
    }
    return keys;
  }

  private static byte[] bytes(String key) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(key);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(RULE, e);
    }
    if (bytes.length != KEY_BYTES) {
      throw new IllegalArgumentException(RULE);
    }
    return bytes;
  }
}
