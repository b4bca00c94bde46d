package dev.octroi.junit;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.ledger.SandboxBank;

/** The token that a host under test is paid in, and what wallets have of it. Thread-safe. */
record SandboxBalances(SandboxBank bank, EvmToken token) {

  void fund(Wallet wallet, Usd amount) {
    if (!amount.isZero()) {
      bank.fund(token.network(), payer(wallet), asset(), amount.micros());
    }
  }

  Usd balance(Wallet wallet) {
    return new Usd(bank.balance(token.network(), payer(wallet), asset()));
  }

  private String asset() {
    return token.address().toString();
  }

  private static String payer(Wallet wallet) {
    return wallet.address().toString();
  }
}
