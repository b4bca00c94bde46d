package dev.octroi.api.operator;

import dev.octroi.api.house.Refused;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ManagedWallet.WalletAddress;
import dev.octroi.payments.ledger.SandboxBank;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sandbox money for managed wallets; real money is sent to their addresses.
 *
 * @param bank empty where money is real
 * @param assets the token that is taken, by network
 */
public record Faucet(Optional<SandboxBank> bank, Map<String, String> assets) {

  public Faucet {
    assets = Map.copyOf(assets);
  }

  void require(Usd amount) {
    if (bank.isEmpty()) {
      throw Refused.invalid("Only sandbox money can be given: send real money to the address.");
    }
    if (amount.isZero()) {
      throw Refused.invalid("The amount is above zero.");
    }
  }

  /** Refuses wallets of which none can pay here. */
  void require(List<WalletAddress> wallets) {
    if (wallets.stream().noneMatch(wallet -> assets.keySet().stream().anyMatch(wallet::paysOn))) {
      throw Refused.of(409, "The account has no wallet on a network that is accepted.");
    }
  }

  /** Gives the amount to the first wallet that can pay here. */
  void give(List<WalletAddress> wallets, Usd amount) {
    require(amount);
    require(wallets);
    for (WalletAddress wallet : wallets) {
      for (Map.Entry<String, String> asset : assets.entrySet()) {
        if (wallet.paysOn(asset.getKey())) {
          bank.orElseThrow()
              .fund(asset.getKey(), wallet.address(), asset.getValue(), amount.micros());
          return;
        }
      }
    }
  }
}
