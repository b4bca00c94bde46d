package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.Identifiers;
import dev.octroi.payments.ledger.Identifiers.IdentifierUse;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.StoredAnswer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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
      WHERE i.network = ? AND i.id = ? AND (i.envelope_hash = ? OR i.payer = ?) AND i.used_at > ?
      """;

  private static final String BOUGHT =
      "SELECT a.payment_id, p.envelope_hash, CAST(? AS BYTEA) AS binding_hash, "
          + PAYMENT
          + """
      FROM stored_answer a JOIN payment p ON p.id = a.payment_id
      WHERE a.reader = ? AND a.stored_at > ? AND (p.state = 'SETTLED' OR (p.state = 'SETTLING' AND p.sent))
        AND NOT EXISTS (SELECT 1 FROM refund r WHERE r.payment_id = p.id)
      ORDER BY a.stored_at DESC, a.payment_id LIMIT 1
      """;

  private static final String ANSWER = "SELECT sealed FROM stored_answer WHERE payment_id = ?";

  @Override
  public List<IdentifierUse> uses(
      String network, String identifier, String envelopeHash, Optional<String> payer) {
    byte[] named = payer.map(text -> KeyBytes.of(network, text)).orElse(null);
    return statements.onConnection(
        connection -> uses(connection, network, identifier, envelopeHash, named));
  }

  @Override
  public Optional<IdentifierUse> bought(
      Collection<String> networks, String payer, RequestBinding binding) {
    return statements.onConnection(
        connection -> {
          for (String network : networks) {
            Optional<IdentifierUse> found = bought(connection, network, payer, binding);
            if (found.isPresent()) {
              return found;
            }
          }
          return Optional.empty();
        });
  }

  private Optional<IdentifierUse> bought(
      Connection connection, String network, String payer, RequestBinding binding)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BOUGHT)) {
      statement.setBytes(1, KeyBytes.hash(binding.hash()));
      statement.setBytes(2, Readers.of(network, payer, binding));
      statement.setObject(3, Rows.utc(clock.instant().minus(settings.replays().time())));
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(use(rows)) : Optional.empty();
      }
    }
  }

  @Override
  public Optional<StoredAnswer> answer(UUID payment) {
    Optional<byte[]> sealed = statements.onConnection(connection -> sealed(connection, payment));
    try {
      return sealed.map(bytes -> vault.open(payment, bytes));
    } catch (IllegalStateException e) {
      LOG.warn("Payment {}: its stored answer cannot be opened", payment, e);
      return Optional.empty();
    }
  }

  private List<IdentifierUse> uses(
      Connection connection,
      String network,
      String identifier,
      String envelopeHash,
      byte @Nullable [] payer)
      throws SQLException {
    List<IdentifierUse> uses = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(USES)) {
      statement.setString(1, network);
      statement.setString(2, identifier);
      statement.setBytes(3, KeyBytes.hash(envelopeHash));
      statement.setBytes(4, payer);
      statement.setObject(5, Rows.utc(clock.instant().minus(settings.replays().time())));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          uses.add(use(rows));
        }
      }
    }
    return uses;
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

  private static Optional<byte[]> sealed(Connection connection, UUID payment) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ANSWER)) {
      statement.setObject(1, payment);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
      }
    }
  }
}
