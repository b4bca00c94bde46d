package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.KeyBytes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lets a payment identifier be used for one request only. Runs inside a claim's transaction, under
 * the lock of the payer's account: two first uses never meet.
 */
final class FirstUses {

  private static final String FIND =
      """
      SELECT envelope_hash, binding_hash, used_at FROM payment_identifier
      WHERE network = ? AND payer = ? AND id = ?
      """;

  private static final String FORGET =
      "DELETE FROM payment_identifier WHERE network = ? AND payer = ? AND id = ?";

  private static final String ADD =
      """
      INSERT INTO payment_identifier (network, payer, id, payment_id, envelope_hash, binding_hash, used_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private enum Use {
    FIRST,
    SAME,
    OTHER
  }

  private record Name(String network, String payer, String id) {}

  private final Connection connection;
  private final Instant now;
  private final Duration time;
  private final Map<ClaimWork, Use> uses = new HashMap<>();

  /**
   * @param time how long an identifier stands for its first use
   */
  FirstUses(Connection connection, Instant now, Duration time) {
    this.connection = connection;
    this.now = now;
    this.time = time;
  }

  /** The works that may claim; the others are told that their identifier stands for another use. */
  List<ClaimWork> admit(List<ClaimWork> works) throws SQLException {
    if (works.stream().allMatch(work -> work.request().identifier().isEmpty())) {
      return works;
    }
    List<ClaimWork> admitted = new ArrayList<>();
    Set<Name> asked = new HashSet<>();
    for (ClaimWork work : works) {
      if (work.request().identifier().isEmpty()) {
        admitted.add(work);
        continue;
      }
      Use use = use(work.request());
      if (use == Use.OTHER) {
        work.propose(new ClaimResult.IdentifierTaken());
      } else if (!asked.add(name(work.request()))) {
        // Whether the one before it in this batch gets its claim is not known yet.
        work.propose(new ClaimResult.InFlight());
      } else {
        uses.put(work, use);
        admitted.add(work);
      }
    }
    return admitted;
  }

  /** Writes the identifier down if this was its first use. */
  void claimed(ClaimWork work, Claim claim) throws SQLException {
    if (uses.get(work) != Use.FIRST) {
      return;
    }
    ClaimRequest request = work.request();
    Rows.update(
        connection,
        ADD,
        statement -> {
          bind(statement, name(request));
          statement.setObject(4, claim.id());
          statement.setBytes(5, KeyBytes.hash(request.envelopeHash()));
          statement.setBytes(6, KeyBytes.hash(request.binding().hash()));
          statement.setObject(7, Rows.utc(now));
        });
  }

  private Use use(ClaimRequest request) throws SQLException {
    return Rows.first(connection, FIND, find -> bind(find, name(request)), row -> use(row, request))
        .orElse(Use.FIRST);
  }

  private Use use(ResultSet row, ClaimRequest request) throws SQLException {
    Instant usedAt = NamedStatements.instant(row, "used_at").orElseThrow();
    if (!usedAt.isAfter(now.minus(time))) {
      Rows.update(connection, FORGET, forget -> bind(forget, name(request)));
      return Use.FIRST;
    }
    return Arrays.equals(row.getBytes(1), KeyBytes.hash(request.envelopeHash()))
            && Arrays.equals(row.getBytes(2), KeyBytes.hash(request.binding().hash()))
        ? Use.SAME
        : Use.OTHER;
  }

  private static Name name(ClaimRequest request) {
    PaymentKey key = request.key();
    return new Name(key.network(), key.payer(), request.identifier().orElseThrow());
  }

  private static void bind(PreparedStatement statement, Name name) throws SQLException {
    statement.setString(1, name.network());
    statement.setBytes(2, KeyBytes.of(name.network(), name.payer()));
    statement.setString(3, name.id());
  }
}
