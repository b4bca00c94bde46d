package dev.octroi.payments.evm.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Contracts;
import java.time.Clock;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Every rule that needs the chain, on one, each broken alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChainEvmVerifierTest {

  private static final String ELSEWHERE = "0x00000000000000000000000000000000000000aa";

  private TestChain chain;
  private ChainEvmVerifier verifier;
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
    verifier = verifier(Set.of());
    chain.node.forget();
  }

  @AfterEach
  void goBack() {
    chain.anvil.revert(snapshot);
  }

  private ChainEvmVerifier verifier(Set<EvmAddress> factories) {
    return new ChainEvmVerifier(Clock.systemUTC(), Signatures.fastest(), chain.rpc, factories);
  }

  private Verification verify(SignedAuthorization signed) {
    return verifier.verify(TestChain.payment(signed), chain.terms());
  }

  private static String invalid(Verification verification) {
    assertThat(verification).isInstanceOf(Verification.Invalid.class);
    return ((Verification.Invalid) verification).reason();
  }

  private static String late(Verification verification) {
    assertThat(verification).isInstanceOf(Verification.Late.class);
    return ((Verification.Late) verification).reason();
  }

  @Test
  @Tag("spec:money.8")
  void aGoodPaymentIsValidAndTellsThePayersBalance() {
    Verification verification = verify(chain.signed());

    assertThat(verification).isInstanceOf(Verification.Valid.class);
    Verification.Valid valid = (Verification.Valid) verification;
    assertThat(valid.payer()).isEqualTo(chain.payer.toString());
    assertThat(valid.spendable()).isEqualTo(OptionalLong.of(TestChain.FUNDS));
    assertThat(chain.coin.balanceOf(chain.payer.toString())).isEqualTo(TestChain.FUNDS);
  }

  @Test
  void aVerificationIsOneRoundTrip() {
    verify(chain.signed());
    chain.node.forget();

    verify(chain.signed());

    assertThat(chain.node.requests()).hasSize(1);
    assertThat(chain.node.requests().get(0)).containsOnlyOnce("eth_getCode");
  }

  @Test
  @Tag("spec:x402.verify.order")
  void aPaymentThatBreaksATermCostsNoRoundTrip() {
    SignedAuthorization signed =
        chain.signed(
            chain.payer,
            EvmAddress.parse(ELSEWHERE),
            TestChain.random(),
            EvmToken.BASE_USDC.address());

    assertThat(invalid(verify(signed))).isEqualTo("invalid_exact_evm_recipient_mismatch");
    assertThat(chain.node.requests()).isEmpty();
  }

  @Test
  @Tag("spec:x402.verify.network_mismatch")
  void termsOfAnotherChainAreNotJudgedByThisOne() {
    PaymentRequirements base = chain.terms();
    PaymentRequirements sepolia =
        new PaymentRequirements(
            "exact",
            "eip155:84532",
            base.amount(),
            base.asset(),
            base.payTo(),
            300,
            Map.of("name", "USDC", "version", "2"));

    assertThat(invalid(verifier.verify(TestChain.payment(chain.signed()), sepolia)))
        .isEqualTo("invalid_exact_evm_network_mismatch");
  }

  @Test
  @Tag("spec:x402.verify.signature")
  void anotherOnesSignatureIsRefused() {
    assertThat(invalid(verify(chain.signed(EvmAddress.parse(ELSEWHERE)))))
        .isEqualTo("invalid_exact_evm_signature");
  }

  @Test
  @Tag("spec:x402.verify.signature")
  void anAddressThatEchoesWhatItIsAskedIsNoWallet() {
    EvmAddress echo = EvmAddress.parse("0x0000000000000000000000000000000000000004");

    assertThat(invalid(verify(chain.signed(echo)))).isEqualTo("invalid_exact_evm_signature");
  }

  @Test
  @Tag("spec:x402.verify.signature.erc1271")
  void aWalletPaysWithWhatItsOwnerSigned() {
    String wallet = Contracts.deployWallet(chain.anvil, chain.payer.toString());
    chain.coin.mint(wallet, 5_000_000);

    Verification verification = verify(chain.signed(EvmAddress.parse(wallet)));

    assertThat(verification).isInstanceOf(Verification.Valid.class);
    assertThat(((Verification.Valid) verification).spendable()).hasValue(5_000_000);
  }

  @Test
  @Tag("spec:x402.verify.signature.erc1271")
  void aWalletDoesNotPayWithWhatAStrangerSigned() {
    String wallet = Contracts.deployWallet(chain.anvil, ELSEWHERE);
    chain.coin.mint(wallet, 5_000_000);

    assertThat(invalid(verify(chain.signed(EvmAddress.parse(wallet)))))
        .isEqualTo("invalid_exact_evm_signature");
  }

  @Test
  @Tag("spec:x402.verify.signature.erc1271")
  void aKeyWhoseAccountHasCodeIsNotAskedAnyMore() {
    String stranger = Contracts.deployWallet(chain.anvil, ELSEWHERE);
    String code = chain.anvil.call("eth_getCode", stranger, "latest").textValue();
    chain.anvil.setCode(chain.payer.toString(), code);

    assertThat(invalid(verify(chain.signed()))).isEqualTo("invalid_exact_evm_signature");
  }

  @Test
  @Tag("spec:x402.verify.signature.erc6492")
  void aWalletOfAnAllowedFactoryPaysBeforeItIsDeployed() {
    UndeployedWallet wallet = new UndeployedWallet(chain.payer);
    chain.coin.mint(wallet.address().toString(), 5_000_000);
    verifier = verifier(Set.of(UndeployedWallet.FACTORY));

    assertThat(verify(wallet.wrapped(chain.signed(wallet.address()))))
        .isInstanceOf(Verification.Valid.class);
  }

  @Test
  @Tag("spec:x402.verify.signature.erc6492")
  void aWalletOfAnyOtherFactoryIsRefused() {
    UndeployedWallet wallet = new UndeployedWallet(chain.payer);
    chain.coin.mint(wallet.address().toString(), 5_000_000);

    assertThat(invalid(verify(wallet.wrapped(chain.signed(wallet.address())))))
        .isEqualTo("eip6492_factory_not_allowed");
  }

  @Test
  @Tag("spec:x402.verify.signature.erc6492")
  void aWalletThatIsNotDeployedJudgesItsSignatureToo() {
    UndeployedWallet wallet = new UndeployedWallet(EvmAddress.parse(ELSEWHERE));
    chain.coin.mint(wallet.address().toString(), 5_000_000);
    verifier = verifier(Set.of(UndeployedWallet.FACTORY));

    assertThat(invalid(verify(wallet.wrapped(chain.signed(wallet.address())))))
        .isEqualTo("invalid_exact_evm_signature");
  }

  @Test
  @Tag("spec:x402.verify.signature.erc6492")
  void aWrapperThatCannotBeReadIsNoSignature() {
    byte[] mark = Hex.parse("0x" + "6492".repeat(16));

    assertThat(invalid(verify(new SignedAuthorization(chain.signed().authorization(), mark))))
        .isEqualTo("invalid_exact_evm_signature");
  }

  @Test
  @Tag("spec:x402.verify.asset_not_deployed")
  void aTokenThatIsNotThereIsRefusedUntilItIs() {
    EvmAddress asset = EvmAddress.parse(ELSEWHERE);
    SignedAuthorization signed =
        chain.signed(chain.payer, TestChain.PAY_TO, TestChain.random(), asset);

    assertThat(invalid(verifier.verify(TestChain.payment(signed), chain.terms(ELSEWHERE))))
        .isEqualTo("asset_not_deployed_contract");

    Contracts.putSilentToken(chain.anvil, ELSEWHERE);
    assertThat(verifier.verify(TestChain.payment(signed), chain.terms(ELSEWHERE)))
        .isInstanceOf(Verification.Valid.class);
  }

  @Test
  @Tag("spec:x402.verify.nonce_already_used")
  @Tag("spec:money.3")
  void aUsedAuthorizationBuysNothingNewButMayBeOwedItsAnswer() {
    SignedAuthorization signed = chain.signed();
    chain.settle(signed);

    Verification verification = verify(signed);

    assertThat(late(verification)).isEqualTo("invalid_exact_evm_nonce_already_used");
    assertThat(((Verification.Late) verification).payment().nonce())
        .isEqualTo(signed.authorization().nonceHex());
  }

  @Test
  @Tag("spec:x402.verify.nonce_already_used")
  void aCancelledAuthorizationIsRefused() {
    SignedAuthorization signed = chain.signed();
    chain.coin.cancelAuthorization(chain.key, signed.authorization().nonce());

    assertThat(late(verify(signed))).isEqualTo("invalid_exact_evm_nonce_already_used");
  }

  @Test
  @Tag("spec:x402.verify.insufficient_balance")
  void aPayerWhoseMoneyIsGoneIsRefused() {
    chain.coin.transfer(chain.payer.toString(), ELSEWHERE, TestChain.FUNDS - TestChain.AMOUNT + 1);

    assertThat(late(verify(chain.signed()))).isEqualTo("invalid_exact_evm_insufficient_balance");
  }

  @Test
  @Tag("spec:x402.verify.insufficient_balance")
  void exactlyEnoughIsEnough() {
    chain.coin.transfer(chain.payer.toString(), ELSEWHERE, TestChain.FUNDS - TestChain.AMOUNT);

    assertThat(verify(chain.signed())).isInstanceOf(Verification.Valid.class);
  }

  @Test
  @Tag("spec:x402.verify.simulation_failed")
  void aPayerThatTheTokensIssuerRefusesIsRefused() {
    chain.coin.blacklist(chain.payer.toString());

    assertThat(late(verify(chain.signed())))
        .isEqualTo("invalid_exact_evm_transaction_simulation_failed");
  }

  @Test
  @Tag("spec:x402.verify.simulation_failed")
  void aTokenThatRefusesEveryTransferIsRefused() {
    Contracts.putRevertingToken(chain.anvil, ELSEWHERE);
    SignedAuthorization signed =
        chain.signed(
            chain.payer, TestChain.PAY_TO, TestChain.random(), EvmAddress.parse(ELSEWHERE));

    assertThat(late(verifier.verify(TestChain.payment(signed), chain.terms(ELSEWHERE))))
        .isEqualTo("invalid_exact_evm_transaction_simulation_failed");
  }

  @Test
  void aChainThatCannotBeAskedIsNoVerdict() {
    try (CountedNode node = new CountedNode(chain.anvil.url())) {
      node.cut();
      ChainEvmVerifier blind =
          new ChainEvmVerifier(
              Clock.systemUTC(), Signatures.fastest(), Nodes.reading(node.url()), Set.of());

      assertThatThrownBy(() -> blind.verify(TestChain.payment(chain.signed()), chain.terms()))
          .isInstanceOf(ChainUnavailable.class)
          .hasMessageNotContaining("secret");
    }
  }
}
