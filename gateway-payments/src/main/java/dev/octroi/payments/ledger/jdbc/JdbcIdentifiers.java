package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.Identifiers;
import dev.octroi.payments.ledger.Identifiers.IdentifierUse;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.StoredAnswer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads payment identifiers and their answers on the ledger's writer threads. */
record JdbcIdentifiers(
    Statements statements, AnswerVault vault, LedgerSettings settings, Clock clock)
    implements Identifiers {

  private static final Logger LOG = LoggerFactory.getLogger(JdbcIdentifiers.class);

  private static final String PAYMENT =
      """
      p.network, p.payer, p.nonce, p.state, p.sent, COALESCE(p.charged, p.amount) AS charged, p.asset, p.tx,
        p.delivered,
        (SELECT OCTET_LENGTH(k.sealed) FROM stored_answer k WHERE k.payment_id = p.id) AS answer_bytes
      """;

  private static final String USES =
      "SELECT i.payment_id, i.envelope_hash, i.binding_hash, "
          + PAYMENT
          + """
      FROM payment_identifier i JOIN payment p ON p.id = i.payment_id
      WHERE i.network = :network AND i.id = :id AND (i.envelope_hash = :envelope OR i.payer = :payer)
        AND i.used_at > :since
      """;

  private static final String BOUGHT =
      "SELECT a.payment_id, p.envelope_hash, CAST(:binding AS BYTEA) AS binding_hash, "
          + PAYMENT
          + """
      FROM stored_answer a JOIN payment p ON p.id = a.payment_id
      WHERE a.reader = :reader AND a.stored_at > :since AND (p.state = 'SETTLED' OR (p.state = 'SETTLING' AND p.sent))
        AND NOT EXISTS (SELECT 1 FROM refund r WHERE r.payment_id = p.id)
      ORDER BY a.stored_at DESC, a.payment_id LIMIT 1
      """;

  private static final String ANSWER =
      "SELECT sealed FROM stored_answer WHERE payment_id = :payment";

  @Override
  public List<IdentifierUse> uses(
      String network, String identifier, String envelopeHash, Optional<String> payer) {
    byte[] named = payer.map(text -> KeyBytes.of(network, text)).orElse(null);
    return statements.run(
        handle ->
            handle
                .createQuery(USES)
                .bind("network", network)
                .bind("id", identifier)
                .bind("envelope", KeyBytes.hash(envelopeHash))
                .bind("payer", named)
                .bind("since", since())
                .map((row, context) -> use(row))
                .list());
  }

  @Override
  public Optional<IdentifierUse> bought(
      Collection<String> networks, String payer, RequestBinding binding) {
    return statements.run(
        handle ->
            networks.stream()
                .flatMap(network -> bought(handle, network, payer, binding).stream())
                .findFirst());
  }

  private Optional<IdentifierUse> bought(
      Handle handle, String network, String payer, RequestBinding binding) {
    return handle
        .createQuery(BOUGHT)
        .bind("binding", KeyBytes.hash(binding.hash()))
        .bind("reader", Readers.of(network, payer, binding))
        .bind("since", since())
        .map((row, context) -> use(row))
        .findOne();
  }

  private Instant since() {
    return clock.instant().minus(settings.replays().time());
  }

  @Override
  public Optional<StoredAnswer> answer(UUID payment) {
    Optional<byte[]> sealed =
        statements.run(
            handle ->
                handle.createQuery(ANSWER).bind("payment", payment).mapTo(byte[].class).findOne());
    try {
      return sealed.map(bytes -> vault.open(payment, bytes));
    } catch (IllegalStateException e) {
      LOG.warn("Payment {}: its stored answer cannot be opened", payment, e);
      return Optional.empty();
    }
  }

  private static IdentifierUse use(ResultSet row) throws SQLException {
    HexFormat hex = HexFormat.of();
    return new IdentifierUse(
        row.getObject("payment_id", UUID.class),
        Rows.key(row),
        hex.formatHex(row.getBytes("envelope_hash")),
        hex.formatHex(row.getBytes("binding_hash")),
        PaymentState.valueOf(row.getString("state")),
        row.getBoolean("sent"),
        row.getLong("charged"),
        row.getString("asset"),
        Objects.requireNonNullElse(row.getString("tx"), ""),
        row.getBoolean("delivered"),
        row.getLong("answer_bytes"));
  }
}
