package dev.octroi.payments.account;

import dev.octroi.payments.account.ManagedWallet.WalletAddress;
import dev.octroi.payments.account.MasterKeys.NoMasterKey;
import dev.octroi.payments.account.WalletRows.Row;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Makes managed wallets and opens them; a private key leaves it sealed or inside of a signer.
 * Thread-safe.
 */
final class Vault {

  private final Optional<MasterKeys> masterKeys;
  private final List<WalletKind> kinds;

  Vault(Optional<MasterKeys> masterKeys, List<WalletKind> kinds) {
    this.masterKeys = masterKeys;
    this.kinds = List.copyOf(kinds);
  }

  MasterKeys masterKeys() {
    return masterKeys.orElseThrow(NoMasterKey::new);
  }

  /** A new wallet of each kind. */
  List<Row> fresh(UUID account) {
    MasterKeys keys = masterKeys();
    return kinds.stream().map(kind -> fresh(account, kind, keys)).toList();
  }

  private static Row fresh(UUID account, WalletKind kind, MasterKeys keys) {
    UUID id = UUID.randomUUID();
    byte[] privateKey = kind.generate();
    MasterKeys.Sealed sealed = keys.seal(privateKey, context(id, kind.kind()));
    WalletAddress address =
        new WalletAddress(id, account, kind.kind(), kind.address(privateKey), sealed.keyId());
    return new Row(address, sealed.bytes());
  }

  /** The wallet with its signer; empty where nothing is paid on its kind of chain. */
  Optional<ManagedWallet> open(Row wallet) {
    return kinds.stream()
        .filter(kind -> kind.kind().equals(wallet.address().kind()))
        .findFirst()
        .flatMap(kind -> kind.signer(privateKey(wallet)))
        .map(signer -> new ManagedWallet(wallet.address(), signer));
  }

  /** The same private key under the current master key. */
  MasterKeys.Sealed reseal(Row wallet) {
    WalletAddress address = wallet.address();
    return masterKeys().seal(privateKey(wallet), context(address.id(), address.kind()));
  }

  private byte[] privateKey(Row wallet) {
    WalletAddress address = wallet.address();
    return masterKeys()
        .open(
            new MasterKeys.Sealed(address.sealedUnder(), wallet.sealed()),
            context(address.id(), address.kind()));
  }

  /** A sealed key that is copied into another wallet's row does not open there. */
  private static byte[] context(UUID wallet, String kind) {
    byte[] network = kind.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(2 * Long.BYTES + network.length)
        .putLong(wallet.getMostSignificantBits())
        .putLong(wallet.getLeastSignificantBits())
        .put(network)
        .array();
  }
}
