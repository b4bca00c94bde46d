package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import java.math.BigInteger;
import java.util.Arrays;
import org.web3j.crypto.RawTransaction;
import org.web3j.crypto.Sign;
import org.web3j.crypto.TransactionEncoder;

/**
 * A transaction of type 2 (EIP-1559) as it goes to a node.
 *
 * @param hash 0x and 64 hex digits in lower case, known before the transaction is sent
 * @param raw its bytes
 */
record SignedTransaction(String hash, byte[] raw) {

  private static final int WORD = 32;

  static SignedTransaction of(
      RelayerKey relayer, long chainId, long nonce, Draft draft, Fees fees) {
    RawTransaction unsigned =
        RawTransaction.createTransaction(
            chainId,
            BigInteger.valueOf(nonce),
            BigInteger.valueOf(draft.gas()),
            draft.to().lowerCase(),
            draft.value(),
            Hex.of(draft.data()),
            fees.tip(),
            fees.max());
    byte[] signature = relayer.sign(Keccak.hash(TransactionEncoder.encode(unsigned)));
    Sign.SignatureData parts =
        new Sign.SignatureData(
            signature[2 * WORD],
            Arrays.copyOf(signature, WORD),
            Arrays.copyOfRange(signature, WORD, 2 * WORD));
    return of(TransactionEncoder.encode(unsigned, parts));
  }

  /** One that was signed before, here or by its sender. */
  static SignedTransaction of(byte[] raw) {
    return new SignedTransaction(Hex.of(Keccak.hash(raw)), raw);
  }
}
