package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.books.BookExport;
import dev.octroi.payments.books.BookReport;
import dev.octroi.payments.books.BookReport.Difference;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.ledger.Claim;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The books agree after anything that the ledger does, and a single wrong figure is found. */
abstract class BooksContract extends LedgerContract {

  BooksContract(TestDatabase where) {
    super(where);
  }

  @Test
  void theBooksAgreeAfterEveryKindOfEnd() {
    sold(Sample.fresh());
    ledger.release(claimed(ledger, Sample.fresh()));
    Claim doubtful = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.settling(doubtful, Sample.ANSWER);
    ledger.settled(doubtful, new Settlement.Unknown("timeout", null));
    Claim failed = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.settling(failed, Sample.ANSWER);
    ledger.settled(failed, new Settlement.Refused("insufficient_funds"));
    claimed(ledger, Sample.fresh());

    BookReport report = verify(Map.of());

    assertThat(report.differences()).isEmpty();
    assertThat(report.isClean()).isTrue();
    assertThat(report.payments()).isEqualTo(1);
  }

  @Test
  void aSettledPaymentWithoutItsLineIsFound() {
    Claim claim = sold(Sample.fresh());
    change("DELETE FROM journal WHERE payment_id IS NOT NULL");

    assertThat(rules()).contains("settled-without-line", "balance");
    assertThat(verify(Map.of()).differences())
        .extracting(Difference::subject)
        .contains(claim.id().toString());
  }

  @Test
  void aLineOfAnotherAmountIsFound() {
    sold(Sample.fresh());
    change("UPDATE journal SET amount = amount + 1 WHERE payment_id IS NOT NULL");

    assertThat(rules()).containsExactlyInAnyOrder("amount", "balance");
  }

  @Test
  void aLineThatCreditsAnotherSellerIsFound() {
    sold(Sample.fresh());
    change("UPDATE payment SET pay_to = '0x000000000000000000000000000000000000dEaD'");

    assertThat(rules()).containsExactly("seller");
  }

  @Test
  void aLineOfAnAccountThatIsNotThereIsFound() {
    sold(Sample.fresh());
    change("UPDATE journal SET credit = -1 WHERE payment_id IS NOT NULL");

    assertThat(rules()).containsExactlyInAnyOrder("settled-without-line", "unknown-account");
  }

  @Test
  void aSecondLineOfAPaymentIsFound() {
    sold(Sample.fresh());
    change(
        "INSERT INTO journal (at, payment_id, debit, credit, amount)"
            + " SELECT at, payment_id, debit, credit, amount FROM journal"
            + " WHERE payment_id IS NOT NULL");

    assertThat(rules()).containsExactlyInAnyOrder("settled-twice", "balance");
  }

  @Test
  void aLineOfAPaymentThatDidNotSettleIsFound() {
    sold(Sample.fresh());
    change("UPDATE payment SET state = 'FAILED'");

    assertThat(rules()).containsExactly("line-without-payment");
  }

  @Test
  void aReservationWithoutAClaimIsFound() {
    sold(Sample.fresh());
    change("UPDATE book_account SET reserved = 7 WHERE kind = 'PAYER'");

    assertThat(rules()).containsExactly("reserved");
  }

  @Test
  void aDoubtThatIsNotListedIsFound() {
    Claim doubtful = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.settling(doubtful, Sample.ANSWER);
    ledger.settled(doubtful, new Settlement.Unknown("timeout", null));
    change("DELETE FROM doubt");

    assertThat(rules()).containsExactly("doubt-not-listed");
  }

  @Test
  void aDoubtThatEndsWhileTheBooksAreReadIsNoDifference() {
    Claim doubtful = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.settling(doubtful, Sample.ANSWER);
    ledger.settled(doubtful, new Settlement.Unknown("timeout", null));
    Runnable end = () -> ledger.settled(doubtful, new Settlement.Settled("0x01"));
    database.before("LEFT JOIN doubt", end);

    assertThat(verify(Map.of()).differences()).isEmpty();
    assertThat(database.wasOvertaken()).isTrue();
    assertThat(count("doubt")).isZero();
  }

  @Test
  @Tag("spec:money.retention")
  void aPaymentThatWasLongInDoubtIsKeptAsLongAsItsLine() {
    Instant soon = clock.instant().plusSeconds(3600);
    Claim old = sold(Sample.fresh().validUntil(soon));
    Claim doubtful = claimed(ledger, Sample.fresh().validUntil(soon).spendable(50_000));
    ledger.settling(doubtful, Sample.ANSWER);
    ledger.settled(doubtful, new Settlement.Unknown("timeout", null));
    clock.forward(Duration.ofDays(20));
    ledger = node("later");
    UnresolvedPayments unresolved = ledger.unresolved();
    assertThat(
            unresolved.close(
                unresolved.find(doubtful.id()).orElseThrow(), new Settlement.Settled("0x01")))
        .isTrue();
    clock.forward(Duration.ofDays(390));

    node("b", it -> it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)));

    await().until(() -> number("SELECT count(*) FROM payment WHERE id = '" + old.id() + "'") == 0);
    assertThat(verify(Map.of()).differences()).isEmpty();
    assertThat(count("payment")).isEqualTo(1);
  }

  @Test
  void aPaymentThatTheChainDeniesIsFound() {
    sold(Sample.fresh());
    Evidence denies = payment -> Optional.of(new Settlement.Refused("authorization_canceled"));

    BookReport report = verify(Map.of(Sample.NETWORK, denies));

    assertThat(report.differences()).extracting(Difference::check).containsExactly("not-on-chain");
  }

  @Test
  void aTransferBehindAPaymentThatCountsAsNotPaidIsFound() {
    Claim failed = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.settling(failed, Sample.ANSWER);
    ledger.settled(failed, new Settlement.Refused("invalid_exact_evm_transaction_failed"));
    Claim released = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.release(released);
    Claim unused = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.release(unused);
    Evidence knowsTwo =
        payment ->
            payment.id().equals(unused.id())
                ? Optional.of(new Settlement.Refused("expired"))
                : Optional.of(new Settlement.Settled("0x01"));

    BookReport report = verify(Map.of(Sample.NETWORK, knowsTwo));

    assertThat(report.differences())
        .extracting(Difference::check, Difference::subject)
        .containsExactlyInAnyOrder(
            tuple("transfer-not-booked", failed.id().toString()),
            tuple("transfer-not-booked", released.id().toString()));
    assertThat(report.proven()).isZero();
  }

  @Test
  void whatTheChainProvesAndWhatItCannotProveIsCounted() {
    Claim proven = sold(Sample.fresh());
    sold(Sample.fresh());
    Evidence knowsOne =
        payment ->
            payment.id().equals(proven.id())
                ? Optional.of(new Settlement.Settled("0x01"))
                : Optional.empty();

    BookReport report = verify(Map.of(Sample.NETWORK, knowsOne));

    assertThat(report.isClean()).isTrue();
    assertThat(report.proven()).isEqualTo(1);
    assertThat(report.unproven()).isEqualTo(1);
  }

  @Test
  void differencesBeyondTheLimitAreOnlySaidToExist() {
    sold(Sample.fresh());
    sold(Sample.fresh());
    change("DELETE FROM journal WHERE payment_id IS NOT NULL");

    BookReport report = verification(Map.of()).verify(Period.ALL, 1);

    assertThat(report.differences()).hasSize(1);
    assertThat(report.hasMore()).isTrue();
  }

  @Test
  void everyMovementIsExportedOnce() throws IOException {
    Claim claim = sold(Sample.fresh());

    List<String> csv = export(BookExport.Format.CSV);
    List<String> json = export(BookExport.Format.JSONL);

    assertThat(csv).hasSize(3);
    assertThat(csv.get(0))
        .isEqualTo("at,kind,network,asset,from,to,amount,usd,payment,transaction,method,path");
    assertThat(csv.get(2))
        .contains(",settlement,eip155:8453,", ",10000,0.010000,\"" + claim.id() + "\"", ",GET,");
    assertThat(json).hasSize(2);
    assertThat(json.get(1)).contains("\"kind\":\"settlement\"", "\"usd\":\"0.010000\"");
  }

  @Test
  void aPathThatLooksLikeAFormulaIsNoneInTheExport() throws IOException {
    sold(Sample.fresh());
    change("UPDATE payment SET path = '=HYPERLINK(\"x\")', tx = '@SUM(1)'");

    assertThat(export(BookExport.Format.CSV).get(2))
        .contains("'@SUM(1)")
        .endsWith("\"'=HYPERLINK(\"\"x\"\")\"");
  }

  private Claim sold(Sample sample) {
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    return claim;
  }

  private List<String> rules() {
    return verify(Map.of()).differences().stream().map(Difference::check).distinct().toList();
  }

  private BookReport verify(Map<String, Evidence> chains) {
    return verification(chains).verify(Period.ALL, 100);
  }

  private BookVerification verification(Map<String, Evidence> chains) {
    return new BookVerification(database, chains, Duration.ofDays(400), clock);
  }

  private List<String> export(BookExport.Format format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new BookExport(database).write(Period.ALL, format, out);
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
