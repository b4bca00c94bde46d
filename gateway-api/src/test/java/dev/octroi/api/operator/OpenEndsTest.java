package dev.octroi.api.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.H2Database;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.ledger.jdbc.PaymentRecords;
import dev.octroi.payments.ledger.jdbc.PaymentRecords.PaymentRecord;
import jakarta.ws.rs.WebApplicationException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an operator may do about a payment whose end the gateway has not seen. */
class OpenEndsTest {

  private static final String NETWORK = "eip155:8453";

  private final Instant end = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(60);
  private final HikariDataSource database = H2Database.empty();
  private final JdbcLedger ledger =
      new JdbcLedger(
          database, new AnswerVault(new byte[32]), LedgerSettings.of("test"), Clock.systemUTC());
  private final PaymentRecords records = new PaymentRecords(database);

  @AfterEach
  void close() {
    ledger.close();
    database.close();
  }

  @Test
  @Tag("spec:operator.unresolved")
  @Tag("spec:money.5")
  void aPaymentIsWrittenOffOnlyWhenItCanSettleNoMoreAndForAReason() {
    UUID payment = doubtful();
    OpenEnds ends = ends(Map.of());
    assertThat(status(() -> ends.writeOff(payment, " "))).isEqualTo(400);
    assertThat(status(() -> ends.writeOff(payment, "x".repeat(151)))).isEqualTo(400);
    assertThat(status(() -> ends.writeOff(payment, "looked it up"))).isEqualTo(409);
    ended(payment, Duration.ofMinutes(9));
    assertThat(status(() -> ends.writeOff(payment, "looked it up"))).isEqualTo(409);
    assertThat(record(payment).state()).isEqualTo("IN_DOUBT");
    ended(payment, Duration.ofMinutes(10));
    ends.writeOff(payment, "looked it up");
    assertThat(record(payment).state()).isEqualTo("FAILED");
    assertThat(record(payment).reason()).isEqualTo("written off: looked it up");
    assertThat(status(() -> ends.writeOff(payment, "again"))).isEqualTo(409);
  }

  @Test
  @Tag("spec:money.5")
  void aPaymentIsNotWrittenOffByADatabasesClockThatIsAhead() {
    UUID payment = doubtful();
    ended(payment, Duration.ofMinutes(11));
    Clock behind = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-2));
    OpenEnds ends = new OpenEnds(ledger.unresolved(), records, Map.of(), List.of(), behind);
    assertThat(status(() -> ends.writeOff(payment, "looked it up"))).isEqualTo(409);
    assertThat(record(payment).state()).isEqualTo("IN_DOUBT");
  }

  @Test
  @Tag("spec:operator.unresolved")
  @Tag("spec:money.5")
  void whatTheChainProvesIsPaidIsNotWrittenOffButRedriven() {
    UUID payment = doubtful();
    OpenEnds ends = ends(Map.of(NETWORK, asked -> Optional.of(new Settlement.Settled("0xproof"))));
    ended(payment, Duration.ofDays(1));
    assertThat(status(() -> ends.writeOff(payment, "looked it up"))).isEqualTo(409);
    ends.redrive(payment, null);
    assertThat(record(payment).state()).isEqualTo("SETTLED");
    assertThat(record(payment).transaction()).isEqualTo("0xproof");
    assertThat(records.journal(record(payment))).hasSize(1);
    assertThat(status(() -> ends.redrive(payment, null))).isEqualTo(409);
  }

  @Test
  @Tag("spec:money.5")
  void whatFailedIsSettledByProofAndByNothingElse() {
    UUID payment = doubtful();
    ended(payment, Duration.ofDays(1));
    ends(Map.of()).writeOff(payment, "looked it up");
    ends(Map.of(NETWORK, asked -> Optional.empty())).redrive(payment, null);
    ends(Map.of(NETWORK, asked -> Optional.of(new Settlement.Refused("expired"))))
        .redrive(payment, null);
    assertThat(record(payment).state()).isEqualTo("FAILED");
    ends(Map.of(NETWORK, asked -> Optional.of(new Settlement.Settled("0xproof"))))
        .redrive(payment, null);
    assertThat(record(payment).state()).isEqualTo("SETTLED");
    assertThat(records.journal(record(payment))).hasSize(1);
  }

  @Test
  @Tag("spec:money.5")
  void whatWasReleasedAndPaidAllTheSameIsSettledByProof() {
    Claim claim = claimed();
    ledger.release(claim);
    ends(Map.of(NETWORK, asked -> Optional.of(new Settlement.Refused("expired"))))
        .redrive(claim.id(), null);
    assertThat(record(claim.id()).state()).isEqualTo("RELEASED");

    ends(Map.of(NETWORK, asked -> Optional.of(new Settlement.Settled("0xproof"))))
        .redrive(claim.id(), "the books found it");

    assertThat(record(claim.id()).state()).isEqualTo("SETTLED");
    assertThat(record(claim.id()).transaction()).isEqualTo("0xproof");
    assertThat(records.journal(record(claim.id()))).hasSize(1);
  }

  @Test
  @Tag("spec:operator.unresolved")
  void withoutProofNothingIsDecidedAndWithoutAChainNothingIsAsked() {
    UUID payment = doubtful();
    ends(Map.of(NETWORK, asked -> Optional.empty())).redrive(payment, null);
    assertThat(record(payment).state()).isEqualTo("IN_DOUBT");
    assertThat(status(() -> ends(Map.of()).redrive(payment, null))).isEqualTo(409);
    assertThat(status(() -> ends(Map.of()).redrive(UUID.randomUUID(), null))).isEqualTo(404);
  }

  private OpenEnds ends(Map<String, Evidence> evidence) {
    return new OpenEnds(ledger.unresolved(), records, evidence, List.of(), Clock.systemUTC());
  }

  /** Its authorization ended so long ago. */
  private void ended(UUID payment, Duration ago) {
    Jdbi.create(database)
        .useHandle(
            handle ->
                handle.execute(
                    "UPDATE payment SET valid_before = ? WHERE id = ?",
                    OffsetDateTime.now(ZoneOffset.UTC).minus(ago),
                    payment));
  }

  private PaymentRecord record(UUID payment) {
    return records.payment(payment).orElseThrow();
  }

  private static int status(ThrowingCallable refused) {
    return catchThrowableOfType(WebApplicationException.class, refused).getResponse().getStatus();
  }

  /** A payment that was sent to a facilitator who has not answered. */
  private UUID doubtful() {
    Claim claim = claimed();
    assertThat(ledger.settling(claim, null)).isTrue();
    assertThat(ledger.settled(claim, new Settlement.Unknown("no_answer", null))).isTrue();
    return claim.id();
  }

  private Claim claimed() {
    ClaimResult result =
        ledger.claim(
            new ClaimRequest(
                new PaymentKey(NETWORK, "0x" + "11".repeat(20), "0x" + "22".repeat(32)),
                new RequestBinding("GET", "/v1/some", "", "00".repeat(32)),
                "33".repeat(32),
                9500,
                "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
                "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
                end,
                OptionalLong.of(1_000_000),
                Redelivery.REREAD));
    return ((ClaimResult.Claimed) result).claim();
  }
}
