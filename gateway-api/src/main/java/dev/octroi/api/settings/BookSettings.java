package dev.octroi.api.settings;

import dev.octroi.payments.client.Wallet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The books and what is given back, {@code gateway.books}. */
public record BookSettings(
    @Setting(
            about =
                "Private key of the account that pays refunds where `gateway.payments.mode=chain`:"
                    + " it needs the stablecoin and no ether, for relayers carry what it signs."
                    + " Whatever is owed in that stablecoin is then paid by itself, and in other"
                    + " tokens by `gateway.payments.tokens.<word>.refunds`. Without it refunds are"
                    + " owed until you note what paid them.")
        Secret treasuryKey,
    @Setting(about = "A file with that key, in its place.") Optional<Path> treasuryKeyFile) {

  private static final String KEY = "treasury-key";

  public BookSettings {
    if (!treasuryKey.value().isEmpty()) {
      if (treasuryKeyFile.isPresent()) {
        throw new IllegalArgumentException("treasury-key and treasury-key-file exclude each other");
      }
      wallet(KEY, treasuryKey.value());
    }
  }

  /**
   * The account that pays refunds; empty if none does.
   *
   * @throws InvalidSettings if the file cannot be read or holds no key; no message repeats it
   */
  public Optional<Wallet> treasury() {
    if (treasuryKeyFile.isPresent()) {
      return Optional.of(ofFile(treasuryKeyFile.get()));
    }
    return treasuryKey.value().isEmpty()
        ? Optional.empty()
        : Optional.of(wallet(KEY, treasuryKey.value()));
  }

  private static Wallet ofFile(Path file) {
    try {
      return wallet("treasury-key-file", Files.readString(file).strip());
    } catch (IOException e) {
      throw new InvalidSettings(List.of("gateway.books.treasury-key-file cannot be read: " + file));
    } catch (IllegalArgumentException e) {
      throw new InvalidSettings(List.of("gateway.books." + e.getMessage()));
    }
  }

  private static Wallet wallet(String setting, String key) {
    try {
      return Wallet.fromHex(key);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
    }
  }
}
