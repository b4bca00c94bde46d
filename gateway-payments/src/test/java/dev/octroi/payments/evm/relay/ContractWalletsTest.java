package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.evm.chain.Multicall3;
import dev.octroi.payments.evm.chain.UndeployedWallet;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Payers that are contracts, deployed or not yet. */
class ContractWalletsTest extends RelayFixture {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] ownersKey = random();
  private final EvmAddress owner = Signatures.pureJava().address(ownersKey);

  @Override
  Set<EvmAddress> factories() {
    return Set.of(UndeployedWallet.FACTORY);
  }

  @Test
  @Tag("spec:money.10")
  @Tag("spec:x402.verify.signature.erc1271")
  void aContractWalletIsPaidForByATransactionOfItsOwn() throws Exception {
    EvmAddress wallet = funded(EvmAddress.parse(Contracts.deployWallet(anvil, owner.toString())));
    EvmFacilitator facilitator = started(settings().batching(3, Duration.ofSeconds(5)));
    PaymentPayload payment = payload(signed(wallet).toJson());
    assertThat(facilitator.verify(payment, terms())).isInstanceOf(Verification.Valid.class);

    List<Settlement> settlements =
        together(facilitator, List.of(payment(payer()), payment, payment(payer())));

    assertThat(settlements).allMatch(Settlement.Settled.class::isInstance);
    assertThat(settlements.get(0)).isEqualTo(settlements.get(2));
    assertThat(target(settlements.get(0))).isEqualTo(Multicall3.ADDRESS);
    assertThat(target(settlements.get(1))).isEqualTo(EvmToken.BASE_USDC.address());
    assertThat(earned()).isEqualTo(3 * PRICE);
  }

  @Test
  void aContractSignsInByWhateverItTakesForItsSignature() throws Exception {
    String wallet = EvmAddress.parse(Contracts.deployWallet(anvil, owner.toString())).toString();
    Evidence chain = started(settings()).evidence(terms().network()).orElseThrow();
    byte[] digest = random();
    byte[] signature = Signatures.pureJava().sign(digest, ownersKey);

    assertThat(chain.isSignedByContract(wallet, digest, signature)).isTrue();
    assertThat(chain.isSignedByContract(wallet, random(), signature)).isFalse();
    assertThat(
            chain.isSignedByContract(wallet, digest, Signatures.pureJava().sign(digest, random())))
        .as("another key's")
        .isFalse();
    assertThat(chain.isSignedByContract(wallet, digest, new byte[0])).isFalse();
    assertThat(chain.isSignedByContract(owner.toString(), digest, signature))
        .as("no contract")
        .isFalse();
  }

  /** It answers with what it is asked, which begins as a wallet's yes does. */
  @Test
  void anAddressWithoutCodeSignsNothing() {
    String identity = "0x0000000000000000000000000000000000000004";

    assertThat(evidence(anvil.url()).isSignedByContract(identity, new byte[32], new byte[65]))
        .isFalse();
  }

  @Test
  void aWalletThatNeedsMoreGasThanItsTransactionHasIsNoPayer() {
    EvmAddress wallet = funded(new UndeployedWallet(owner).address());
    Contracts.putGreedyWallet(anvil, wallet.toString(), 1_000_000);

    assertThat(started(settings()).verify(payload(signed(wallet).toJson()), terms()))
        .isInstanceOfSatisfying(
            Verification.Late.class,
            late ->
                assertThat(late.reason())
                    .isEqualTo("invalid_exact_evm_transaction_simulation_failed"));
  }

  @Test
  void aKeyThatHasDelegatedToAContractIsGivenTheGasOfAWalletAndNoMore() {
    EvmAddress payer = funded(owner);
    PaymentPayload payment = payload(signed(payer).toJson());
    EvmFacilitator facilitator = started(settings());
    Contracts.putGreedyWallet(anvil, payer.toString(), 350_000);
    assertThat(facilitator.verify(payment, terms())).isInstanceOf(Verification.Late.class);

    Contracts.putGreedyWallet(anvil, payer.toString(), 150_000);
    assertThat(facilitator.verify(payment, terms())).isInstanceOf(Verification.Valid.class);
    assertThat(facilitator.settle(payment, terms())).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  @Tag("spec:x402.verify.signature.erc6492")
  void anUndeployedWalletIsDeployedByTheTransactionThatItPaysWith() {
    UndeployedWallet wallet = new UndeployedWallet(owner);
    funded(wallet.address());
    EvmFacilitator facilitator = started(settings());
    PaymentPayload first = payload(wallet.wrapped(signed(wallet.address())).toJson());
    assertThat(facilitator.verify(first, terms())).isInstanceOf(Verification.Valid.class);
    assertThat(hasCode(wallet.address())).isFalse();

    assertThat(facilitator.settle(first, terms())).isInstanceOf(Settlement.Settled.class);

    assertThat(hasCode(wallet.address())).isTrue();
    assertThat(earned()).isEqualTo(PRICE);

    PaymentPayload wrapped = payload(wallet.wrapped(signed(wallet.address())).toJson());
    assertThat(facilitator.verify(wrapped, terms())).isInstanceOf(Verification.Valid.class);
    assertThat(facilitator.settle(wrapped, terms())).isInstanceOf(Settlement.Settled.class);
    PaymentPayload plain = payload(signed(wallet.address()).toJson());
    assertThat(facilitator.verify(plain, terms())).isInstanceOf(Verification.Valid.class);
    assertThat(facilitator.settle(plain, terms())).isInstanceOf(Settlement.Settled.class);
    assertThat(earned()).isEqualTo(3 * PRICE);
  }

  @Test
  @Tag("spec:money.10")
  void anUndeployedWalletWhoseTransactionLosesItsNonceIsDeployedByTheNext() throws Exception {
    UndeployedWallet wallet = new UndeployedWallet(owner);
    funded(wallet.address());
    EvmFacilitator facilitator = started(settings());
    anvil.automine(false);
    Future<Settlement> settlement =
        beside(facilitator, payload(wallet.wrapped(signed(wallet.address())).toJson()));
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE state = 'SENT'") >= 1);
    anvil.call("anvil_dropAllTransactions");
    anvil.call("anvil_setNonce", relayer.address().toString(), "0x1");
    anvil.automine(true);
    anvil.mine(1);

    assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    assertThat(earned()).isEqualTo(PRICE);
  }

  @Test
  @Tag("spec:money.10")
  void aWalletThatAThirdPartyDeploysMeanwhilePaysWithoutItsDeployment() throws Exception {
    UndeployedWallet wallet = new UndeployedWallet(owner);
    funded(wallet.address());
    EvmFacilitator facilitator = started(settings());
    anvil.automine(false);
    Future<Settlement> settlement =
        beside(facilitator, payload(wallet.wrapped(signed(wallet.address())).toJson()));
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE state = 'SENT'") >= 1);
    anvil.call("anvil_dropAllTransactions");
    anvil.automine(true);
    anvil.execute(
        anvil.account(1), UndeployedWallet.FACTORY.toString(), Hex.of(wallet.factoryData()));

    assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    assertThat(target(settlement.get())).isEqualTo(EvmToken.BASE_USDC.address());
    assertThat(earned()).isEqualTo(PRICE);
  }

  @Test
  void anUndeployedWalletWhoseMoneyIsGoneIsDeployedAndHasNotPaid() {
    UndeployedWallet wallet = new UndeployedWallet(owner);
    EvmFacilitator facilitator = started(settings());

    assertThat(
            facilitator.settle(payload(wallet.wrapped(signed(wallet.address())).toJson()), terms()))
        .isEqualTo(new Settlement.Refused("invalid_exact_evm_insufficient_balance"));
  }

  private EvmAddress funded(EvmAddress wallet) {
    coin.mint(wallet.toString(), FUNDS);
    return wallet;
  }

  private boolean hasCode(EvmAddress account) {
    return anvil.call("eth_getCode", account.toString(), "latest").textValue().length() > 2;
  }

  private EvmAddress target(Settlement settlement) {
    String hash = ((Settlement.Settled) settlement).transaction();
    return EvmAddress.parse(anvil.receipt(hash).path("to").textValue());
  }

  /** What the owner signs for a wallet. */
  private SignedAuthorization signed(EvmAddress from) {
    TransferAuthorization authorization =
        new TransferAuthorization(
            from,
            SELLER,
            BigInteger.valueOf(PRICE),
            BigInteger.ZERO,
            BigInteger.valueOf(Instant.now().getEpochSecond() + 120),
            random());
    byte[] digest = authorization.digest(EvmToken.BASE_USDC.domain());
    return new SignedAuthorization(authorization, Signatures.pureJava().sign(digest, ownersKey));
  }

  private static byte[] random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return bytes;
  }
}
