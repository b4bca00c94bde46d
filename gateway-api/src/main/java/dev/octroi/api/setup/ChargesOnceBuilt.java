package dev.octroi.api.setup;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.account.ChargeResult;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** What works charge accounts by: they are opened before the payments that they need are built. */
final class ChargesOnceBuilt implements AccountCharges {

  private volatile Optional<AccountCharges> built = Optional.empty();

  void are(Optional<AccountCharges> charges) {
    built = charges;
  }

  @Override
  public ChargeResult charge(
      UUID account, Usd amount, String purpose, Predicate<PaymentUse> beforeSettling) {
    return built
        .map(charges -> charges.charge(account, amount, purpose, beforeSettling))
        .orElseGet(() -> new ChargeResult.Refused("no_accounts"));
  }
}
