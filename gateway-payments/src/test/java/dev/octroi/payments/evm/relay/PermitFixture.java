package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.TokenCalls;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SettleCall;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.permit2.TransferPermit;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.Type;
import org.web3j.abi.datatypes.generated.Uint256;

/** A plain token of 18 decimals, the real Permit2, and payers who let it move what they have. */
abstract class PermitFixture extends RelayFixture {

  static final BigInteger MOST = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);

  /** A thousandth of a dollar in the token's own units. */
  static final BigInteger ATOMIC = BigInteger.TEN.pow(15);

  String token = "";

  @BeforeEach
  void deploy() {
    Contracts.deployPermit2(anvil);
    token = Contracts.deployPlainToken(anvil);
  }

  PaymentRequirements permitted() {
    return new PaymentRequirements(
        "exact",
        NETWORK,
        ATOMIC.toString(),
        EvmAddress.parse(token).toString(),
        SELLER.toString(),
        300,
        Map.of(PaymentOption.TRANSFER_METHOD, Permit2.METHOD),
        18);
  }

  /** A payer with ten dollars that lets Permit2 move them. */
  Wallet rich() {
    Wallet payer = Wallet.generate();
    give(payer.address().toString());
    approve(payer.address().toString(), MOST);
    return payer;
  }

  void give(String account) {
    anvil.setBalance(account, ETHER);
    anvil.execute(account, token, data("mint", new Address(account), units(10_000)));
  }

  void approve(String account, BigInteger amount) {
    anvil.execute(
        account, token, data("approve", new Address(Contracts.PERMIT2), new Uint256(amount)));
  }

  static Uint256 units(long thousandths) {
    return new Uint256(ATOMIC.multiply(BigInteger.valueOf(thousandths)));
  }

  BigInteger balance(EvmAddress account) {
    return new BigInteger(anvil.ask(token, Hex.of(TokenCalls.balanceOf(account))).substring(2), 16);
  }

  @SuppressWarnings("rawtypes")
  static String data(String function, Type<?>... arguments) {
    return FunctionEncoder.encode(new Function(function, List.<Type>of(arguments), List.of()));
  }

  static SignedPermit signed(PaymentPayload payment) {
    return SignedPermit.read(payment.payload());
  }

  Evidence evidence() {
    return evidence(anvil.url());
  }

  UnresolvedPayment unresolved(PaymentPayload payment, @Nullable String transaction) {
    PaymentKey key = EvmPayments.key(payment).orElseThrow();
    return new UnresolvedPayment(
        UUID.randomUUID(),
        1,
        key,
        token,
        SELLER.toString(),
        PRICE,
        Instant.ofEpochSecond(signed(payment).permit().deadline().longValue() + 1),
        Instant.now(),
        transaction,
        false);
  }

  void burn(PaymentPayload payment) {
    TransferPermit permit = signed(payment).permit();
    burn(permit.from().toString(), permit.nonce());
  }

  /** Has an owner take a nonce of its own away. */
  void burn(String owner, BigInteger nonce) {
    anvil.execute(
        owner,
        Contracts.PERMIT2,
        data(
            "invalidateUnorderedNonces",
            new Uint256(nonce.shiftRight(8)),
            new Uint256(BigInteger.ONE.shiftLeft(nonce.intValue() & 0xff))));
  }

  /** What has the exact proxy move the whole permit. */
  static byte[] calldata(PaymentPayload payment) {
    SignedPermit signed = signed(payment);
    return SettleCall.settle(signed, signed.permit().amount(), Optional.empty());
  }

  /** Sends what the exact proxy takes of anybody; the transaction. */
  String settleAsStranger(PaymentPayload payment) {
    return anvil
        .execute(anvil.account(1), Contracts.EXACT_PROXY, Hex.of(calldata(payment)))
        .path("transactionHash")
        .textValue();
  }

  /** As the chain is after the permit has ended and some blocks more. */
  void pass(PaymentPayload payment) {
    anvil.timestampOfNextBlock(signed(payment).permit().deadline().longValue() + 2);
    anvil.mine(4);
  }

  static String late(Verification verification) {
    assertThat(verification).isInstanceOf(Verification.Late.class);
    return ((Verification.Late) verification).reason();
  }

  static String invalid(Verification verification) {
    assertThat(verification).isInstanceOf(Verification.Invalid.class);
    return ((Verification.Invalid) verification).reason();
  }

  PaymentRequirements sponsored() {
    PaymentRequirements plain = permitted();
    return new PaymentRequirements(
        plain.scheme(),
        plain.network(),
        plain.amount(),
        plain.asset(),
        plain.payTo(),
        300,
        Map.of(PaymentOption.TRANSFER_METHOD, Permit2.METHOD, "name", "Plain", "version", "1"),
        18);
  }

  /** What the token takes, as a published client sends it along. */
  ObjectNode allowing(Wallet payer, PaymentPayload payment) {
    TransferPermit permit = signed(payment).permit();
    return TokenPermits.info(anvil, token, payer, permit.amount(), permit.deadline());
  }
}
