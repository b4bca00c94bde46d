package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.generated.Uint256;

/** Approvals of Permit2 that payers without gas sign, as a published client sends them along. */
final class TokenApprovals {

  static final long GAS = 70_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private TokenApprovals() {}

  /** A wallet that signs payments, and transactions of its own. */
  record Buyer(Wallet wallet, RelayerKey key) {

    static Buyer generate() {
      byte[] secret = new byte[32];
      new SecureRandom().nextBytes(secret);
      String hex = HexFormat.of().formatHex(secret);
      return new Buyer(Wallet.fromHex(hex), RelayerKey.fromHex(hex));
    }

    String account() {
      return wallet.address().toString();
    }
  }

  static BigInteger gasPrice(Anvil anvil) {
    return new BigInteger(anvil.call("eth_gasPrice").textValue().substring(2), 16);
  }

  /** With a fifth more than the price of gas. */
  static SignedTransaction approval(Anvil anvil, String token, Buyer buyer, long nonce) {
    BigInteger maxFee =
        gasPrice(anvil).multiply(BigInteger.valueOf(6)).divide(BigInteger.valueOf(5));
    return approval(token, buyer, nonce, GAS, maxFee);
  }

  static SignedTransaction approval(
      String token, Buyer buyer, long nonce, long gas, BigInteger maxFee) {
    return approval(token, buyer, nonce, gas, maxFee, PermitFixture.MOST);
  }

  /** Of this much alone. */
  static SignedTransaction approval(
      String token, Buyer buyer, long nonce, long gas, BigInteger maxFee, BigInteger amount) {
    Function approve =
        new Function(
            "approve", List.of(new Address(Contracts.PERMIT2), new Uint256(amount)), List.of());
    Draft draft =
        new Draft(
            EvmAddress.parse(token), Hex.parse(FunctionEncoder.encode(approve)), gas, List.of());
    return SignedTransaction.of(
        buyer.key(), Anvil.CHAIN_ID, nonce, draft, new Fees(maxFee, BigInteger.ONE));
  }

  static PaymentPayload bringing(
      PaymentPayload payment, String token, Buyer buyer, SignedTransaction approval) {
    ObjectNode extensions = JSON.createObjectNode();
    extensions
        .putObject("erc20ApprovalGasSponsoring")
        .putObject("info")
        .put(
            "description",
            "The facilitator broadcasts a pre-signed ERC-20 approve() transaction to grant Permit2"
                + " allowance.")
        .put("version", "1")
        .put("from", buyer.account())
        .put("asset", token)
        .put("spender", Contracts.PERMIT2)
        .put("amount", PermitFixture.MOST.toString())
        .put("signedTransaction", Hex.of(approval.raw()));
    return RelayFixture.bringing(payment, extensions);
  }
}
