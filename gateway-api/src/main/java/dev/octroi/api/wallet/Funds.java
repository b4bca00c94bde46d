package dev.octroi.api.wallet;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.WalletAddress;
import dev.octroi.payments.facilitator.Balances;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What managed wallets have on the networks that are accepted. Thread-safe.
 *
 * @param assets the token that is taken, by network
 * @param balances who knows what accounts have, by network; a network may have none
 */
public record Funds(Map<String, String> assets, Map<String, Balances> balances) {

  /**
   * A wallet on a network.
   *
   * @param address where it is funded
   * @param balance dollars; null if it cannot be told at the moment
   */
  public record Balance(String network, String asset, String address, @Nullable Usd balance) {}

  public Funds {
    assets = Map.copyOf(assets);
    balances = Map.copyOf(balances);
  }

  /** Each wallet on each network that it pays on. */
  public List<Balance> of(List<WalletAddress> wallets) {
    return wallets.stream()
        .flatMap(
            wallet ->
                assets.entrySet().stream()
                    .filter(asset -> wallet.paysOn(asset.getKey()))
                    .map(asset -> balance(asset.getKey(), asset.getValue(), wallet.address())))
        .toList();
  }

  private Balance balance(String network, String asset, String address) {
    Balances known = balances.get(network);
    OptionalLong units = known == null ? OptionalLong.empty() : known.of(asset, address);
    boolean fits = units.isPresent() && units.getAsLong() <= Usd.MAX_MICROS;
    return new Balance(network, asset, address, fits ? new Usd(units.getAsLong()) : null);
  }
}
