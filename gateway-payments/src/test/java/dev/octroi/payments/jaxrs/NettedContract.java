package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PayerPolicy;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.flow.Callers;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Debts;
import dev.octroi.payments.netting.Netting;
import dev.octroi.payments.netting.Netting.NettingTerms;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls by API key that are owed for, and paid for together (money rules, gas). */
abstract class NettedContract extends ShopContract {

  private static final NettingTerms TERMS =
      new NettingTerms(Duration.ofHours(1), Usd.parse("0.02"));

  private final AtomicInteger transfers = new AtomicInteger();
  private JdbcAccounts accounts;
  private IssuedKey key;
  private Netting netting;
  private Payments.Builder eachByItself;

  NettedContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  /** Only the network that settles like a chain. */
  @Override
  Payments.Builder builder(TestMoney runtime) {
    eachByItself = offering(runtime);
    return offering(runtime).netted(TERMS);
  }

  private Payments.Builder offering(TestMoney runtime) {
    accounts = runtime.accounts();
    return Payments.builder()
        .ledger(runtime.ledger())
        .accept(TestMoney.ELSEWHERE.payableTo(TestMoney.SELLER, 60))
        .facilitator(runtime.facilitators().get(1))
        .admission(admission)
        .callers(
            new Callers(
                Optional.of(accounts),
                PayerPolicy.EVERYBODY,
                request -> "reads",
                request -> "request-1",
                (request, status, code, sentence) ->
                    HttpAnswer.error(status, code + ": " + sentence)));
  }

  @BeforeEach
  void aKeyAndAChain() {
    key = accounts.open("an account", KeyTerms.of("a key", KeyLimits.NONE));
    netting = payments.netting(money.debts()).orElseThrow();
    settles(new Settlement.Settled("0x" + "ab".repeat(32)));
    // What other tests left owed is none of this one's transfers.
    netting.run();
    transfers.set(0);
  }

  private void settles(Settlement outcome) {
    money.settlesElsewhere(
        () -> {
          transfers.incrementAndGet();
          return outcome;
        });
  }

  private HttpResponse<String> call() {
    return payer.send(payer.to("read").header("Authorization", "Bearer " + key.secret()));
  }

  @Test
  @Tag("spec:payment.netted")
  void manyCallsArePaidForByOneTransfer() {
    assertThat(header(call(), PaymentHeaders.X_PAYMENT_RECEIPT)).startsWith("on-account:");
    assertThat(call().statusCode()).isEqualTo(200);
    netting.run();
    assertThat(transfers).as("below the threshold").hasValue(0);

    assertThat(call().statusCode()).isEqualTo(200);
    netting.run();
    netting.run();

    assertThat(transfers).hasValue(1);
    assertThat(accounts.spent(key.key().id()).orElseThrow().today().micros()).isEqualTo(28_500);
  }

  /** The operator may turn netting off at a restart. */
  @Test
  @Tag("spec:payment.netted")
  void whatIsOwedIsPaidForWhereCallsAreNettedNoMore() {
    assertThat(call().statusCode()).isEqualTo(200);

    Netting left = eachByItself.build().netting(money.debts()).orElseThrow();
    left.run();
    left.run();

    assertThat(transfers).hasValue(1);
  }

  @Test
  @Tag("spec:money.8")
  void whatIsOwedCannotBeSpentTwice() {
    assertThat(letters(60).statusCode()).isEqualTo(200);

    assertThat(letters(60).statusCode()).isEqualTo(402);
  }

  @Test
  @Tag("spec:money.5")
  void aTransferInDoubtIsNotSentAgain() {
    settles(new Settlement.Unknown("timeout", null));
    assertThat(letters(60).statusCode()).isEqualTo(200);
    netting.run();
    netting.run();
    assertThat(transfers).hasValue(1);

    money.decide(payment -> Optional.of(new Settlement.Settled("0x" + "cd".repeat(32))));
    netting.run();

    assertThat(transfers).hasValue(1);
    assertThat(money.unresolved()).isEmpty();
  }

  @Test
  void aTransferThatFailedIsTriedAgain() {
    settles(new Settlement.Refused("invalid_exact_evm_transaction_simulation_failed"));
    assertThat(letters(60).statusCode()).isEqualTo(200);
    netting.run();
    settles(new Settlement.Settled("0x" + "ab".repeat(32)));

    netting.run();
    netting.run();

    assertThat(transfers).hasValue(2);
  }

  /** Debts of the ledger, of which older ones on a network that is not offered come first. */
  private final class WithOthers implements Debts {

    private final int others;
    private boolean fails;

    WithOthers(int others) {
      this.others = others;
    }

    @Override
    public List<Debt> due(long threshold, Instant before, int skipped, int most) {
      int first = Math.max(Math.min(others - skipped, most), 0);
      List<Debt> due = new ArrayList<>(Collections.nCopies(first, elsewhere()));
      due.addAll(money.debts().due(threshold, before, Math.max(skipped - others, 0), most - first));
      return due;
    }

    private Debt elsewhere() {
      String address = "0x" + "17".repeat(20);
      return new Debt(
          key.key().id(),
          "eip155:99",
          address,
          address,
          address,
          20_000,
          List.of(UUID.randomUUID()));
    }

    @Override
    public boolean assign(Debt debt, Claim transfer) {
      if (fails) {
        throw new IllegalStateException("the database went away");
      }
      return money.debts().assign(debt, transfer);
    }

    @Override
    public int close() {
      return money.debts().close();
    }
  }

  @Test
  void whoCannotPayKeepsNoOtherWaiting() {
    assertThat(letters(60).statusCode()).isEqualTo(200);

    payments.netting(new WithOthers(45)).orElseThrow().run();

    assertThat(transfers).hasValue(1);
  }

  @Test
  @Tag("spec:money.2")
  void aTransferWhoseCallsCannotBeNamedIsGivenBack() {
    assertThat(letters(60).statusCode()).isEqualTo(200);
    WithOthers failing = new WithOthers(0);
    failing.fails = true;

    payments.netting(failing).orElseThrow().run();

    assertThat(transfers).hasValue(0);
    netting.run();
    assertThat(transfers).hasValue(1);
    assertThat(claimed()).isZero();
  }

  private long claimed() {
    return Jdbi.create(money.database())
        .withHandle(
            handle ->
                handle
                    .createQuery("SELECT COUNT(*) FROM payment WHERE state = 'CLAIMED'")
                    .mapTo(Long.class)
                    .one());
  }

  private HttpResponse<String> letters(int cents) {
    return payer.send(
        payer
            .to("letters?cents=" + cents)
            .header("Authorization", "Bearer " + key.secret())
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString("abc")));
  }
}
