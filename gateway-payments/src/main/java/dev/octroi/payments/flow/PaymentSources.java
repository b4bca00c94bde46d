package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ManagedWallet;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import java.util.List;

/** Finds the ways in which an account's wallets can pay. Thread-safe. */
record PaymentSources(Accounts accounts, Offers offers) {

  private static final int VERSION = 2;

  /** The ways to pay for a call in the order in which they are tried, EVM first. */
  List<KeyCall> ways(ApiKey key, Usd price, ResourceInfo resource) {
    List<PaymentRequirements> accepts = offers.accepts(price);
    PaymentRequired challenge = new PaymentRequired(VERSION, null, resource, accepts, null);
    List<ManagedWallet> wallets = accounts.payers(key.account());
    return accepts.stream()
        .flatMap(
            offer ->
                wallets.stream()
                    .filter(wallet -> pays(wallet, offer))
                    .map(wallet -> new KeyCall(key, wallet, challenge, offer)))
        .toList();
  }

  private static boolean pays(ManagedWallet wallet, PaymentRequirements offer) {
    return wallet.address().paysOn(offer.network()) && wallet.signer().signs(offer);
  }
}
