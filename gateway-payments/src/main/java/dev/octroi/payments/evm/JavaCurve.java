package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.web3j.crypto.ECDSASignature;
import org.web3j.crypto.ECKeyPair;
import org.web3j.crypto.Sign;

/** Pure Java, for platforms without the native library. */
final class JavaCurve implements Curve {

  private static final int WORD = 32;

  @Override
  public String description() {
    return "pure Java secp256k1";
  }

  @Override
  public byte @Nullable [] recover(byte[] digest, byte[] compact, int parity) {
    ECDSASignature signature =
        new ECDSASignature(
            new BigInteger(1, Arrays.copyOfRange(compact, 0, WORD)),
            new BigInteger(1, Arrays.copyOfRange(compact, WORD, 2 * WORD)));
    try {
      BigInteger key = Sign.recoverFromSignature(parity, signature, digest);
      return key == null ? null : fixed(key, 2);
    } catch (IllegalArgumentException e) {
      // No point of the curve has this r.
      return null;
    }
  }

  @Override
  public byte[] sign(byte[] digest, byte[] privateKey) {
    ECDSASignature signature = ECKeyPair.create(privateKey).sign(digest);
    byte[] compact = new byte[2 * WORD];
    Words.write(compact, 0, signature.r);
    Words.write(compact, 1, signature.s);
    return compact;
  }

  @Override
  public byte[] publicKey(byte[] privateKey) {
    return fixed(Sign.publicKeyFromPrivate(new BigInteger(1, privateKey)), 2);
  }

  private static byte[] fixed(BigInteger number, int words) {
    byte[] bytes = number.toByteArray();
    byte[] fixed = new byte[words * WORD];
    int length = Math.min(bytes.length, fixed.length);
    System.arraycopy(bytes, bytes.length - length, fixed, fixed.length - length, length);
    return fixed;
  }
}
