package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * What every implementation of the curve must answer, so that one which computes wrongly, or fails
 * when it is first used, is found out before a payment depends on it.
 */
final class KnownAnswers {

  /** The private key 1, whose public key is the curve's generator. */
  private static final byte[] PRIVATE_KEY = word(BigInteger.ONE);

  private static final byte[] PUBLIC_KEY =
      Hex.parse(
          "0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
              + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8");

  /** SHA-256 of "Satoshi Nakamoto", and its signature by that key with the nonce of RFC 6979. */
  private static final byte[] DIGEST =
      Hex.parse("0xa0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e");

  private static final byte[] SIGNATURE =
      Hex.parse(
          "0x934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
              + "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5");

  private static final int PARITY = 1;

  /** No point of the curve has the x coordinate 5. */
  private static final byte[] NO_SIGNATURE = noSignature();

  private KnownAnswers() {}

  /** Throws {@link IllegalStateException} where an answer is wrong. */
  static void require(Curve curve) {
    byte[] other = curve.recover(DIGEST, SIGNATURE, 1 - PARITY);
    boolean right =
        Arrays.equals(PUBLIC_KEY, curve.publicKey(PRIVATE_KEY))
            && Arrays.equals(SIGNATURE, curve.sign(DIGEST, PRIVATE_KEY))
            && Arrays.equals(PUBLIC_KEY, curve.recover(DIGEST, SIGNATURE, PARITY))
            && other != null
            && !Arrays.equals(PUBLIC_KEY, other)
            && curve.recover(DIGEST, NO_SIGNATURE, 0) == null;
    if (!right) {
      throw new IllegalStateException(curve.description() + " computes wrongly");
    }
  }

  private static byte[] noSignature() {
    byte[] compact = new byte[2 * PRIVATE_KEY.length];
    Words.write(compact, 0, BigInteger.valueOf(5));
    Words.write(compact, 1, BigInteger.ONE);
    return compact;
  }

  private static byte[] word(BigInteger number) {
    byte[] word = new byte[Keccak.BYTES];
    Words.write(word, 0, number);
    return word;
  }
}
