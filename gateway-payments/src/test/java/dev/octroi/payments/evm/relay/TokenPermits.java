package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Permits of a token (EIP-2612) for Permit2, as a published client sends them along. */
final class TokenPermits {

  private static final ObjectMapper JSON = new ObjectMapper();

  private TokenPermits() {}

  /** The first one of a payer. */
  static ObjectNode info(
      Anvil anvil, String token, Wallet payer, BigInteger amount, BigInteger deadline) {
    byte[] words = new byte[6 * 32];
    AbiWords.write(
        words,
        0,
        Keccak.hash(
            "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
                .getBytes(StandardCharsets.US_ASCII)));
    AbiWords.write(words, 1, payer.address());
    AbiWords.write(words, 2, Permit2.ADDRESS);
    AbiWords.write(words, 3, amount);
    AbiWords.write(words, 4, BigInteger.ZERO);
    AbiWords.write(words, 5, deadline);
    byte[] domain = Hex.parse(anvil.ask(token, "0x3644e515"));
    byte[] digest = Keccak.hash(new byte[] {0x19, 0x01}, domain, Keccak.hash(words));
    ObjectNode info = JSON.createObjectNode();
    info.put(
        "description",
        "The facilitator accepts EIP-2612 gasless Permit to `Permit2` canonical contract.");
    info.put("version", "1").put("from", payer.address().toString()).put("asset", token);
    info.put("spender", Contracts.PERMIT2).put("amount", amount.toString()).put("nonce", "0");
    info.put("deadline", deadline.toString());
    return info.put("signature", Hex.of(payer.sign(digest)));
  }

  static PaymentPayload bringing(PaymentPayload payment, ObjectNode info) {
    ObjectNode extensions = JSON.createObjectNode();
    extensions.putObject("eip2612GasSponsoring").set("info", info);
    return RelayFixture.bringing(payment, extensions);
  }
}
