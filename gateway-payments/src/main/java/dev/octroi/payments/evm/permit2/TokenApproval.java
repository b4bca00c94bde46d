package dev.octroi.payments.evm.permit2;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.web3j.crypto.RawTransaction;
import org.web3j.crypto.Sign.SignatureData;
import org.web3j.crypto.SignedRawTransaction;
import org.web3j.crypto.TransactionDecoder;
import org.web3j.crypto.TransactionEncoder;
import org.web3j.crypto.transaction.type.Transaction1559;

/**
 * A transaction by which a payer lets Permit2 move a token, signed and not sent yet. It comes with
 * a payment in the protocol's extension {@code erc20ApprovalGasSponsoring}: the gateway gives the
 * payer the gas for it, and sends it.
 *
 * @param raw its bytes, in their one form
 * @param amount what it permits, in atomic units
 * @param nonce the payer's nonce
 * @param gas its gas limit
 * @param maxFee what it offers for a unit of gas, in wei
 */
public record TokenApproval(
    byte[] raw, BigInteger amount, long nonce, long gas, BigInteger maxFee) {

  /** The protocol's reason for an approval that the chain did not take. */
  public static final String NOT_BROADCAST = "erc20_approval_broadcast_failed";

  private static final SponsoringExtension EXTENSION =
      new SponsoringExtension(
          "erc20ApprovalGasSponsoring",
          "erc20_approval_",
          "The facilitator broadcasts a pre-signed ERC-20 approve() transaction to grant Permit2"
              + " allowance.",
          List.of("from", "asset", "spender", "amount", "signedTransaction", "version"));

  private static final Extensions ANNOUNCED = EXTENSION.announced();

  private static final int SELECTOR = 0x095ea7b3;
  private static final int SELECTOR_BYTES = 4;

  /** An approval has some 180 bytes. */
  private static final int MOST_BYTES = 512;

  /** What challenges announce while the gateway gives payers gas. */
  public static Extensions announced() {
    return ANNOUNCED;
  }

  /**
   * Whether a payer needs it for these terms: by Permit2, in a token without permits of its own.
   */
  public static boolean isFor(PaymentRequirements terms) {
    return Permit2.isMethodOf(terms)
        && (terms.extra() == null || !terms.extra().containsKey("name"));
  }

  /** What its gas may cost, in wei. */
  public BigInteger cost() {
    return maxFee.multiply(BigInteger.valueOf(gas));
  }

  /** What came with a payment: nothing, an approval, or one that breaks a rule. */
  public record Brought(Optional<TokenApproval> approval, @Nullable String broken) {

    /** What comes with payments that bring none along. */
    public static final Brought NONE = new Brought(Optional.empty(), null);

    /** What a payment brings along, held against its permit by the rules that need no chain. */
    public static Brought of(PaymentPayload payment, PaymentRequirements terms, Permitted paid) {
      Optional<JsonNode> info = isFor(terms) ? EXTENSION.info(payment) : Optional.empty();
      if (info.isEmpty()) {
        return NONE;
      }
      try {
        return EXTENSION.isEchoed(info.get())
            ? read(info.get(), paid, TokenDomain.chainId(terms.network()))
            : broken("extension_echo_mismatch");
      } catch (MalformedPayment e) {
        return broken("invalid_erc20_approval_extension_format");
      }
    }

    private static Brought read(JsonNode info, Permitted paid, long chainId) {
      BigInteger amount = PayloadFields.uint256(info, "amount");
      byte[] raw = PayloadFields.bytes(info, "signedTransaction");
      String mismatch = EXTENSION.mismatch(info, paid);
      if (mismatch != null) {
        return broken(mismatch);
      }
      return parsed(raw)
          .map(transaction -> read(transaction, raw, amount, paid, chainId))
          .orElseGet(() -> broken("erc20_approval_tx_parse_failed"));
    }

    private static Brought read(
        SignedRawTransaction signed, byte[] raw, BigInteger amount, Permitted paid, long chainId) {
      if (!paid.token().lowerCase().equalsIgnoreCase(signed.getTo())) {
        return broken("erc20_approval_tx_wrong_target");
      }
      byte[] data = data(signed);
      if (data.length < SELECTOR_BYTES || ByteBuffer.wrap(data).getInt() != SELECTOR) {
        return broken("erc20_approval_tx_wrong_selector");
      }
      if (data.length != SELECTOR_BYTES + 2 * Keccak.BYTES || signed.getValue().signum() != 0) {
        return broken("erc20_approval_tx_invalid_calldata");
      }
      if (!number(data, 0).equals(new BigInteger(Permit2.ADDRESS.lowerCase().substring(2), 16))) {
        return broken("erc20_approval_tx_wrong_spender");
      }
      if (!number(data, 1).equals(amount) || amount.compareTo(paid.amount()) < 0) {
        return broken("erc20_approval_tx_amount_mismatch");
      }
      Optional<EvmAddress> signer =
          Signatures.fastest()
              .signer(
                  Keccak.hash(TransactionEncoder.encode(signed)),
                  signature(signed.getSignatureData()));
      if (signer.isEmpty()) {
        return broken("erc20_approval_tx_invalid_signature");
      }
      if (!signer.get().equals(paid.from())) {
        return broken("erc20_approval_tx_signer_mismatch");
      }
      Transaction1559 terms = (Transaction1559) signed.getTransaction();
      if (terms.getChainId() != chainId) {
        return broken("erc20_approval_tx_wrong_chain");
      }
      TokenApproval approval =
          new TokenApproval(
              raw,
              amount,
              terms.getNonce().longValueExact(),
              terms.getGasLimit().longValueExact(),
              terms.getMaxFeePerGas());
      return new Brought(Optional.of(approval), null);
    }

    /**
     * A transaction of type 2 without an access list, spelled as nodes take it: one that they
     * refuse must not be given gas.
     */
    private static Optional<SignedRawTransaction> parsed(byte[] raw) {
      if (raw.length == 0 || raw.length > MOST_BYTES) {
        return Optional.empty();
      }
      try {
        RawTransaction read = TransactionDecoder.decode(Hex.of(raw));
        if (read instanceof SignedRawTransaction signed
            && signed.getTransaction() instanceof Transaction1559 terms
            && Long.SIZE > terms.getNonce().bitLength()
            && Long.SIZE > terms.getGasLimit().bitLength()
            && terms.getMaxFeePerGas().compareTo(terms.getMaxPriorityFeePerGas()) >= 0
            && Arrays.equals(raw, spelled(terms, signed.getSignatureData()))) {
          return Optional.of(signed);
        }
        return Optional.empty();
      } catch (RuntimeException e) {
        return Optional.empty();
      }
    }

    private static byte[] spelled(Transaction1559 terms, SignatureData signature) {
      return TransactionEncoder.encode(
          RawTransaction.createTransaction(
              terms.getChainId(),
              terms.getNonce(),
              terms.getGasLimit(),
              terms.getTo(),
              terms.getValue(),
              terms.getData(),
              terms.getMaxPriorityFeePerGas(),
              terms.getMaxFeePerGas()),
          signature);
    }

    private static byte[] data(RawTransaction transaction) {
      String data = transaction.getData();
      return Hex.parse(data.startsWith("0x") ? data : "0x" + data);
    }

    private static BigInteger number(byte[] data, int index) {
      return new BigInteger(1, data, SELECTOR_BYTES + index * Keccak.BYTES, Keccak.BYTES);
    }

    private static byte[] signature(SignatureData parts) {
      return ByteBuffer.allocate(Signatures.BYTES)
          .put(parts.getR())
          .put(parts.getS())
          .put(parts.getV()[0])
          .array();
    }

    private static Brought broken(String reason) {
      return new Brought(Optional.empty(), reason);
    }
  }
}
