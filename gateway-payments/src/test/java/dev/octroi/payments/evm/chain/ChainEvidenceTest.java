package dev.octroi.payments.evm.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.chain.ChainEvidence.Finality;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.testchain.Contracts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a chain proves; its {@code finalized} is two blocks behind the latest here. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:x402.uncertain.3")
class ChainEvidenceTest {

  private static final Duration LIFE = Duration.ofMinutes(70);
  private static final String UNKNOWN_HASH = "0x" + "ab".repeat(32);

  private TestChain chain;
  private String snapshot = "";

  @BeforeAll
  void start() {
    chain = new TestChain();
  }

  @AfterAll
  void stop() {
    if (chain != null) {
      chain.close();
    }
  }

  @BeforeEach
  void begin() {
    snapshot = chain.anvil.snapshot();
  }

  @AfterEach
  void goBack() {
    chain.anvil.revert(snapshot);
  }

  private Optional<Settlement> evidence(UnresolvedPayment payment) {
    return evidence(payment, new Finality(1, 0, LIFE, 1_000));
  }

  private Optional<Settlement> evidence(UnresolvedPayment payment, Finality finality) {
    return new ChainEvidence(chain.rpc, finality).of(payment);
  }

  /** Mines until a block of the payment's end or later is final. */
  private void outlive(SignedAuthorization signed) {
    chain.anvil.timestampOfNextBlock(signed.authorization().validBefore().longValueExact());
    chain.anvil.mine(3);
  }

  @Test
  @Tag("spec:money.5")
  void aTransferWithItsAuthorizationInOneReceiptIsPaid() {
    SignedAuthorization signed = chain.signed();
    String transaction = chain.settle(signed);

    assertThat(evidence(chain.unresolved(signed, transaction)))
        .contains(new Settlement.Settled(transaction));
  }

  @Test
  @Tag("spec:money.5")
  void aTransferThatAThirdPartySentIsFoundInTheLogs() {
    SignedAuthorization signed = chain.signed();
    chain.anvil.mine(30);
    String transaction = chain.settle(signed);
    chain.anvil.mine(30);

    assertThat(evidence(chain.unresolved(signed, null)))
        .contains(new Settlement.Settled(transaction));
    assertThat(evidence(chain.unresolved(signed, UNKNOWN_HASH)))
        .contains(new Settlement.Settled(transaction));
    assertThat(evidence(chain.unresolved(signed, "settlement-of-another-kind")))
        .contains(new Settlement.Settled(transaction));
  }

  /** Servers whose payments are settled here may let them live for a day. */
  @Test
  @Tag("spec:money.5")
  void aTransferIsFoundLongBeforeItsEnd() {
    SignedAuthorization signed = chain.living(24 * 3_600);
    String transaction = chain.settle(signed);
    chain.anvil.mine(30);

    assertThat(evidence(chain.unresolved(signed, UNKNOWN_HASH)))
        .contains(new Settlement.Settled(transaction));
  }

  @Test
  @Tag("spec:money.5")
  void aTransferIsFoundLongAfterItsEndAndInSmallRanges() {
    SignedAuthorization signed = chain.signed();
    chain.anvil.mine(10);
    String transaction = chain.settle(signed);
    chain.anvil.mine(10);
    outlive(signed);
    chain.anvil.mine(900);
    chain.node.forget();

    assertThat(evidence(chain.unresolved(signed, null), new Finality(1, 0, LIFE, 7)))
        .contains(new Settlement.Settled(transaction));
    assertThat(chain.node.requests()).hasSizeLessThan(80);
  }

  @Test
  @Tag("spec:money.5")
  void ourTransactionFailedBecauseAnotherOneWasFirst() {
    SignedAuthorization signed = chain.signed();
    String first = chain.settle(signed);
    String ours =
        chain
            .anvil
            .mined(
                chain.anvil.account(2), chain.coin.address(), Hex.of(TokenCalls.transfer(signed)))
            .path("transactionHash")
            .textValue();

    assertThat(ours).isNotEqualTo(first);
    assertThat(evidence(chain.unresolved(signed, ours))).contains(new Settlement.Settled(first));
  }

  @Test
  @Tag("spec:money.5")
  void equalAmountsInOneTransactionAreToldApart() {
    SignedAuthorization one = chain.signed();
    SignedAuthorization other = chain.signed();
    SignedAuthorization missing = chain.signed();
    byte[] batch =
        Multicall3.aggregate3(
            List.of(
                new Multicall3.Call(EvmToken.BASE_USDC.address(), TokenCalls.transfer(one)),
                new Multicall3.Call(EvmToken.BASE_USDC.address(), TokenCalls.transfer(other))));
    String transaction =
        chain
            .anvil
            .execute(chain.anvil.account(1), Contracts.MULTICALL3, Hex.of(batch))
            .path("transactionHash")
            .textValue();

    assertThat(evidence(chain.unresolved(one, transaction)))
        .contains(new Settlement.Settled(transaction));
    assertThat(evidence(chain.unresolved(other, transaction)))
        .contains(new Settlement.Settled(transaction));
    assertThat(evidence(chain.unresolved(missing, transaction))).isEmpty();
  }

  @Test
  @Tag("spec:money.11")
  void aTransferCountsOnlyAtItsDepth() {
    Finality deep = new Finality(3, 0, LIFE, 1_000);
    SignedAuthorization signed = chain.signed();
    String transaction = chain.settle(signed);

    assertThat(evidence(chain.unresolved(signed, transaction), deep)).isEmpty();
    assertThat(evidence(chain.unresolved(signed, null), deep)).isEmpty();
    chain.anvil.mine(1);
    assertThat(evidence(chain.unresolved(signed, transaction), deep)).isEmpty();
    chain.anvil.mine(1);

    assertThat(evidence(chain.unresolved(signed, transaction), deep))
        .contains(new Settlement.Settled(transaction));
    assertThat(evidence(chain.unresolved(signed, null), deep))
        .contains(new Settlement.Settled(transaction));
  }

  @Test
  @Tag("spec:money.11")
  void aReorganisationOfAFewBlocksTakesBackWhatWasNotDeepEnough() {
    Finality deep = new Finality(4, 0, LIFE, 1_000);
    // It goes back to a block of its own: other tests took the token's code from the one before.
    chain.anvil.mine(1);
    SignedAuthorization signed = chain.signed();
    String transaction = chain.settle(signed);
    chain.anvil.mine(2);

    chain.anvil.reorg(3);
    chain.anvil.mine(5);

    assertThat(evidence(chain.unresolved(signed, transaction), deep)).isEmpty();
    String again = chain.settle(signed);
    chain.anvil.mine(3);
    assertThat(evidence(chain.unresolved(signed, transaction), deep))
        .contains(new Settlement.Settled(again));
  }

  @Test
  @Tag("spec:money.5")
  void aCancellationIsAFailureOnceItIsFinal() {
    SignedAuthorization signed = chain.signed();
    chain.coin.cancelAuthorization(chain.key, signed.authorization().nonce());

    assertThat(evidence(chain.unresolved(signed, null))).isEmpty();
    chain.anvil.mine(2);

    assertThat(evidence(chain.unresolved(signed, null)))
        .contains(new Settlement.Refused("authorization_canceled"));
  }

  @Test
  @Tag("spec:money.5")
  void theSameNonceSpentOnAnotherRecipientIsAFailureOnceItIsFinal() {
    SignedAuthorization promised = chain.signed();
    EvmAddress self = EvmAddress.parse("0x00000000000000000000000000000000000000bb");
    byte[] nonce = promised.authorization().nonce();
    String transaction =
        chain.settle(chain.signed(chain.payer, self, nonce, EvmToken.BASE_USDC.address()));

    assertThat(evidence(chain.unresolved(promised, transaction))).isEmpty();
    chain.anvil.mine(2);

    assertThat(evidence(chain.unresolved(promised, transaction)))
        .contains(new Settlement.Refused("invalid_exact_evm_nonce_already_used"));
  }

  @Test
  @Tag("spec:money.5")
  void thatAnAuthorizationCountsAsUsedProvesNeither() {
    SignedAuthorization signed = chain.signed();
    chain.settle(signed);
    chain.anvil.mine(5);
    Finality tooShort = new Finality(1, 0, Duration.ofSeconds(-3_600), 1_000);

    assertThat(evidence(chain.unresolved(signed, null), tooShort)).isEmpty();
  }

  @Test
  @Tag("spec:money.5")
  void anUnusedAuthorizationIsUnresolvedUntilItsEndIsFinal() {
    SignedAuthorization signed = chain.signed();
    UnresolvedPayment payment = chain.unresolved(signed, null);
    assertThat(evidence(payment)).isEmpty();

    chain.anvil.timestampOfNextBlock(signed.authorization().validBefore().longValueExact());
    chain.anvil.mine(2);
    assertThat(evidence(payment)).isEmpty();
    chain.anvil.mine(1);

    assertThat(evidence(payment))
        .contains(new Settlement.Refused("invalid_exact_evm_payload_authorization_valid_before"));
  }

  @Test
  @Tag("spec:money.5")
  void theFinalBlockMayBeANumberOfBlocksBehind() {
    Finality behind = new Finality(1, 10, LIFE, 1_000);
    SignedAuthorization signed = chain.signed();
    outlive(signed);
    assertThat(evidence(chain.unresolved(signed, null), behind)).isEmpty();

    chain.anvil.mine(8);

    assertThat(evidence(chain.unresolved(signed, null), behind)).isPresent();
  }

  @Test
  @Tag("spec:money.5")
  void aTransactionThatDidNothingIsNoProof() {
    SignedAuthorization signed = chain.signed();
    String code = chain.anvil.call("eth_getCode", chain.coin.address(), "latest").textValue();
    Contracts.putSilentToken(chain.anvil, chain.coin.address());
    String transaction = chain.settle(signed);
    chain.anvil.setCode(chain.coin.address(), code);
    chain.anvil.mine(5);

    assertThat(evidence(chain.unresolved(signed, transaction))).isEmpty();
    outlive(signed);
    assertThat(evidence(chain.unresolved(signed, transaction)).orElseThrow())
        .isInstanceOf(Settlement.Refused.class);
  }

  @Test
  void aDecisionUsuallyTakesOneRoundTrip() {
    SignedAuthorization signed = chain.signed();
    evidence(chain.unresolved(signed, null));
    chain.node.forget();

    evidence(chain.unresolved(signed, UNKNOWN_HASH));

    assertThat(chain.node.requests()).hasSize(1);
  }

  @Test
  void aChainThatCannotBeAskedProvesNothing() {
    try (CountedNode node = new CountedNode(chain.anvil.url())) {
      node.cut();
      ChainEvidence blind =
          new ChainEvidence(Nodes.reading(node.url()), new Finality(1, 0, LIFE, 1_000));

      assertThat(blind.of(chain.unresolved(chain.signed(), null))).isEmpty();
    }
  }

  @Test
  void balancesAreRead() {
    ChainBalances balances = new ChainBalances(chain.rpc);
    String unknown = "0x00000000000000000000000000000000000000cc";

    assertThat(balances.of(chain.coin.address(), chain.payer.toString())).hasValue(TestChain.FUNDS);
    assertThat(balances.of(chain.coin.address(), unknown)).hasValue(0);
    assertThat(balances.of(unknown, unknown)).isEmpty();
  }
}
