package dev.octroi.api.setup;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.error.ErrorShapes;
import dev.octroi.api.error.RequestId;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.Group;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.PayerPolicy;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.AesMasterKeys;
import dev.octroi.payments.account.EvmWallets;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.account.MasterKeys;
import dev.octroi.payments.account.SolanaWallets;
import dev.octroi.payments.client.SolanaSigner;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.flow.Callers;
import dev.octroi.payments.ledger.jdbc.Statements;
import dev.octroi.payments.solana.Blockhashes;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Opens the accounts that call by API key, and tells the gate what the gateway knows of callers.
 *
 * @param masterKeys in place of those of the settings, such as a key management service
 * @param blockhashes asked by managed wallets that pay on Solana
 */
public record KeyAssembly(
    GatewaySettings settings,
    Optional<MasterKeys> masterKeys,
    Blockhashes blockhashes,
    Clock clock) {

  JdbcAccounts accounts(Statements database) {
    return new JdbcAccounts(
        database,
        masterKeys(settings, masterKeys),
        List.of(
            new EvmWallets(clock),
            new SolanaWallets(wallet -> Optional.of(new SolanaSigner(wallet, blockhashes)))),
        clock);
  }

  /**
   * What seals secrets.
   *
   * @param ofHost in place of those of the settings
   */
  public static Optional<MasterKeys> masterKeys(
      GatewaySettings settings, Optional<MasterKeys> ofHost) {
    List<byte[]> keys = settings.keys().masterKeys();
    return ofHost.or(
        () -> keys.isEmpty() ? Optional.empty() : Optional.of(new AesMasterKeys(keys)));
  }

  Callers callers(Accounts accounts) {
    return new Callers(
        Optional.of(accounts),
        policy(),
        request -> Addressed.group(request).map(Group::word).orElse(""),
        RequestId::of,
        (request, status, code, sentence) ->
            ErrorShapes.answer(request, ErrorAnswer.shaped(status, code, sentence)));
  }

  private PayerPolicy policy() {
    Set<String> denied =
        settings.payments().deniedPayers().stream()
            .map(PaymentKey::spelling)
            .collect(Collectors.toUnmodifiableSet());
    return (network, payer) -> !denied.contains(payer);
  }
}
