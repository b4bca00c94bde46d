package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.CallOrigin;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.Identifiers.IdentifierUse;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerSettings.ReplayLimits;
import dev.octroi.payments.ledger.SignInNonces;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ledger keeps for those who sign in with their wallets. */
abstract class SignInContract extends LedgerContract {

  private static final String ADDRESS = "http://127.0.0.1:8402/v1/report";
  private static final String OTHER_NETWORK = "eip155:84532";

  private JdbcLedger keeper;

  SignInContract(TestDatabase kind) {
    super(kind);
  }

  @BeforeEach
  void keepsForWallets() {
    keeper = node("k", it -> it.replays(ReplayLimits.DEFAULT.alsoForWallets(true)));
  }

  @Test
  void aNonceIsKnownOnEveryNodeAndUsedOnOneOfThem() throws Exception {
    SignInNonces here = keeper.signInNonces();
    SignInNonces there = node("b").signInNonces();
    Instant now = clock.instant();
    String nonce = here.next(ADDRESS, now);

    assertThat(there.isOurs(nonce, ADDRESS, now)).isTrue();
    assertThat(count("sign_in_nonce")).as("given out").isZero();
    List<Boolean> uses = concurrently(20, i -> (i % 2 == 0 ? here : there).use(nonce));

    assertThat(uses).filteredOn(used -> used).hasSize(1);
    assertThat(there.use(here.next(ADDRESS, now))).as("another one").isTrue();
    assertThat(count("sign_in_nonce")).isEqualTo(2);
  }

  @Test
  void aNonceIsGoodForItsAddressAndTimeAndUnderTheKeyThatMadeIt() {
    SignInNonces nonces = keeper.signInNonces();
    Instant now = clock.instant();
    String nonce = nonces.next(ADDRESS, now);

    assertThat(nonces.isOurs(nonce, ADDRESS + "/2", now)).isFalse();
    assertThat(nonces.isOurs(nonce, ADDRESS, now.plusSeconds(1))).isFalse();
    assertThat(nonces.isOurs("0".repeat(64), ADDRESS, now)).isFalse();
    assertThat(nonces.isOurs(nonce + "00", ADDRESS, now)).isFalse();
    assertThat(nonces.isOurs("'; --", ADDRESS, now)).isFalse();
    byte[] key = new byte[32];
    key[0] = 1;
    SignInNonces others = new JdbcSignInNonces(keeper.statements(), new AnswerVault(key), clock);
    assertThat(others.isOurs(nonce, ADDRESS, now)).isFalse();
  }

  @Test
  void usedNoncesAreForgottenWhenNoMessageCanHaveThem() {
    keeper.signInNonces().use(keeper.signInNonces().next(ADDRESS, clock.instant()));
    clock.forward(SignInNonces.LIFE.plusMinutes(4));
    busy("c");
    assertThat(count("sign_in_nonce")).isEqualTo(1);

    clock.forward(Duration.ofMinutes(2));

    await().until(() -> count("sign_in_nonce") == 0);
  }

  @Test
  void aWalletsLatestAnswerToARequestIsFoundOnAnyNodeAlsoAfterDelivery() {
    Sample sample = Sample.fresh();
    sold(sample);
    clock.forward(Duration.ofMinutes(1));
    Claim latest = sold(Sample.fresh(sample.payer()));
    Ledger other = node("b");

    IdentifierUse use = bought(other, sample).orElseThrow();

    assertThat(use.payment()).isEqualTo(latest.id());
    assertThat(use.asset()).isEqualTo(Sample.ASSET);
    assertThat(other.identifiers().answer(use.payment()).orElseThrow().body())
        .isEqualTo(Sample.ANSWER.body());
    assertThat(
            other
                .identifiers()
                .bought(List.of(OTHER_NETWORK, Sample.NETWORK), sample.payer(), sample.binding()))
        .isPresent();
  }

  @Test
  void nothingElseIsFound() {
    Sample sample = Sample.fresh();
    sold(sample);
    RequestBinding other =
        new RequestBinding("GET", "/crypto/exchange/price", "pair=ETH-USDT", "00".repeat(32));
    List<String> networks = List.of(Sample.NETWORK);

    assertThat(keeper.identifiers().bought(networks, Sample.fresh().payer(), sample.binding()))
        .as("another wallet's")
        .isEmpty();
    assertThat(keeper.identifiers().bought(networks, sample.payer(), other))
        .as("another request's")
        .isEmpty();
    assertThat(
            keeper.identifiers().bought(List.of(OTHER_NETWORK), sample.payer(), sample.binding()))
        .as("another network's")
        .isEmpty();
  }

  @Test
  void whatWasNotPaidIsNotFound() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(keeper, sample);
    keeper.settling(claim, Sample.ANSWER);

    assertThat(bought(keeper, sample)).as("settling").isEmpty();
    keeper.settled(claim, new Settlement.Unknown("timeout", null));
    assertThat(bought(keeper, sample)).as("in doubt").isEmpty();
  }

  @Test
  void whatWasGivenBackIsNotFoundAnyMore() {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);
    assertThat(bought(keeper, sample)).isPresent();

    var unused = keeper.refunds().ask(claim.id(), OptionalLong.empty(), "it was wrong", "r1");

    assertThat(bought(keeper, sample)).isEmpty();
  }

  @Test
  void whatAKeyHasPaidForIsNoWalletsToRead() {
    Sample sample = Sample.fresh();
    CallOrigin byKey = new CallOrigin(Optional.of(UUID.randomUUID()), "", "");

    ClaimRequest managed = sample.request().by(byKey);
    assertThat(new Readers(true).of(managed)).isNull();
    assertThat(new Readers(false).of(sample.request())).isNull();
    assertThat(new Readers(true).of(sample.request())).hasSize(32);
  }

  @Test
  void anAnswerIsKeptForADayAndNotLonger() {
    Sample sample = Sample.fresh();
    sold(sample);
    ledger.settleHere(claimed(ledger, Sample.fresh()), Sample.ANSWER);
    clock.forward(Duration.ofMinutes(11));
    JdbcLedger swept = busy("c");
    await().until(() -> count("stored_answer") == 1);
    assertThat(bought(swept, sample)).isPresent();

    clock.forward(Duration.ofHours(24));

    assertThat(bought(swept, sample)).isEmpty();
    await().until(() -> count("stored_answer") == 0);
  }

  @Test
  void anAnswerThatIsStoredAfterItsEffectIsFoundToo() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(keeper, sample);
    keeper.settleHere(claim, null);
    assertThat(bought(keeper, sample)).isEmpty();

    keeper.answered(claim, Sample.ANSWER);

    assertThat(bought(keeper, sample)).isPresent();
  }

  private Claim sold(Sample sample) {
    Claim claim = ((Claimed) keeper.claim(sample.request())).claim();
    keeper.settleHere(claim, Sample.ANSWER);
    keeper.delivered(claim);
    return claim;
  }

  private static Optional<IdentifierUse> bought(Ledger ledger, Sample sample) {
    return ledger.identifiers().bought(List.of(Sample.NETWORK), sample.payer(), sample.binding());
  }

  /** A node that sweeps and deletes every second. */
  private JdbcLedger busy(String name) {
    return node(
        name,
        it ->
            it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1))
                .replays(ReplayLimits.DEFAULT.alsoForWallets(true)));
  }
}
