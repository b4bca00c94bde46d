package dev.octroi.api.operator;

import dev.octroi.api.house.Refused;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Operators besides the one who has the token of the settings, each with a role and a token of its
 * own, of which the database has only the hash. A revoked token is refused on other nodes within 5
 * seconds. Thread-safe.
 */
public final class Operators {

  /** The operator who has the token of the settings; no other one is called so. */
  static final String ADMIN = "admin";

  private static final String OPERATORS = "operators";

  /** What operators may change who act and are no administrators. */
  private static final Set<String> ACTING =
      Set.of("payments", "refunds", "effects", "node", "books", "webhooks");

  private static final Duration KNOWN_FOR = Duration.ofSeconds(5);
  private static final int MOST = 100;
  private static final int TOKEN_BYTES = 32;
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private static final String INSERT =
      """
      INSERT INTO operator_token (id, name, role, token_hash, created_at)
      VALUES (:id, :name, :role, :hash, :at)
      """;

  private final Statements writing;
  private final LedgerReads reading;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final AtomicLong changes = new AtomicLong();
  private volatile Known known = NONE;

  /** The operators of a moment, by the hash of their tokens. */
  private record Known(Map<String, Operator> byHash, Instant until) {}

  private static final Known NONE = new Known(Map.of(), Instant.MIN);

  public Operators(Statements writing, DataSource database, Clock clock) {
    this.writing = writing;
    this.reading = new LedgerReads(database);
    this.clock = clock;
  }

  /** What an operator may do. */
  enum Role {
    /** Look at everything. */
    READ,
    /** Also decide payments, refunds and effects, drain nodes, verify the books, test webhooks. */
    ACT,
    /** Everything but managing operators. */
    ADMIN;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether it permits changes. Operators are managed by the token of the settings alone.
     *
     * @param what the first word of the path below the interface; empty for a path that is none
     */
    boolean permits(String what) {
      return switch (this) {
        case READ -> false;
        case ACT -> ACTING.contains(what);
        case ADMIN -> !what.isEmpty() && !what.equals(OPERATORS);
      };
    }
  }

  /**
   * An operator.
   *
   * @param revoked since when the token is refused; null if it is not
   */
  record Operator(UUID id, String name, Role role, Instant created, @Nullable Instant revoked) {}

  /** A new operator with its token, which is told this once. */
  record Issued(String token, Operator operator) {}

  /** Whose token it is; empty if it is no living operator's. */
  Optional<Operator> of(String token) {
    Known now = known;
    if (!clock.instant().isBefore(now.until())) {
      long before = changes.get();
      now = new Known(living(), clock.instant().plus(KNOWN_FOR));
      known = now;
      if (changes.get() != before) {
        // What was read may have stood so before the change.
        known = NONE;
      }
    }
    return Optional.ofNullable(now.byHash().get(HexFormat.of().formatHex(hash(token))));
  }

  private Map<String, Operator> living() {
    Map<String, Operator> byHash = new HashMap<>();
    reading
        .read(
            handle ->
                handle
                    .createQuery("SELECT * FROM operator_token WHERE revoked_at IS NULL")
                    .map(
                        (row, context) ->
                            Map.entry(
                                HexFormat.of().formatHex(row.getBytes("token_hash")),
                                operator(row)))
                    .list())
        .forEach(entry -> byHash.put(entry.getKey(), entry.getValue()));
    return byHash;
  }

  /** All of them, the revoked ones too, by name. */
  List<Operator> list() {
    return reading.read(
        handle ->
            handle
                .createQuery("SELECT * FROM operator_token ORDER BY name")
                .map((row, context) -> operator(row))
                .list());
  }

  /** Makes an operator; 400 for a name that is none, 409 for one that is or was in use. */
  Issued create(@Nullable String name, Role role) {
    if (name == null || !NAME.matcher(name).matches()) {
      throw Refused.invalid(
          "The 'name' has 1 to 64 lower-case letters, digits, dots, dashes or underscores.");
    }
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    String token = "op-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    Operator made = new Operator(UUID.randomUUID(), name, role, clock.instant(), null);
    boolean isNew =
        !name.equals(ADMIN) && writing.run(handle -> inserted(handle, made, hash(token)));
    if (!isNew) {
      throw Refused.of(
          409, "There is or was an operator of this name, or there are " + MOST + " already.");
    }
    changes.incrementAndGet();
    known = NONE;
    return new Issued(token, made);
  }

  /** Statements may run again after a commit of unknown outcome: the id says whether it was so. */
  private static boolean inserted(Handle handle, Operator made, byte[] hash) {
    List<UUID> same =
        handle
            .createQuery("SELECT id FROM operator_token WHERE name = :name")
            .bind("name", made.name())
            .mapTo(UUID.class)
            .list();
    int living =
        handle
            .createQuery("SELECT COUNT(*) FROM operator_token WHERE revoked_at IS NULL")
            .mapTo(Integer.class)
            .one();
    if (!same.isEmpty() || living >= MOST) {
      return same.contains(made.id());
    }
    return handle
            .createUpdate(INSERT)
            .bind("id", made.id())
            .bind("name", made.name())
            .bind("role", made.role().name())
            .bind("hash", hash)
            .bind("at", made.created())
            .execute()
        == 1;
  }

  /** Ends a token for good; 404 if there is no such operator. */
  Operator revoke(UUID id) {
    Instant now = clock.instant();
    writing.run(
        handle ->
            handle
                .createUpdate(
                    "UPDATE operator_token SET revoked_at = :at WHERE id = :id AND revoked_at IS"
                        + " NULL")
                .bind("at", now)
                .bind("id", id)
                .execute());
    changes.incrementAndGet();
    known = NONE;
    return find(id);
  }

  /** 404 if there is no such operator. */
  Operator find(UUID id) {
    return list().stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow(() -> Refused.unknown("There is no operator with this id."));
  }

  private static Operator operator(ResultSet row) throws SQLException {
    return new Operator(
        row.getObject("id", UUID.class),
        row.getString("name"),
        Role.valueOf(row.getString("role")),
        NamedStatements.instant(row, "created_at").orElseThrow(),
        NamedStatements.instant(row, "revoked_at").orElse(null));
  }

  private static byte[] hash(String token) {
    return Sha256.of(token.getBytes(StandardCharsets.UTF_8));
  }
}
