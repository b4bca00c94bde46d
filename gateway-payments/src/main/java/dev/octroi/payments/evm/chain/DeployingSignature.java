package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import java.util.Arrays;
import java.util.Optional;

/**
 * The signature of a wallet that need not be deployed yet (ERC-6492).
 *
 * @param factory the contract that creates the wallet
 * @param factoryData what it is called with
 * @param signature the signature that the wallet judges
 */
public record DeployingSignature(EvmAddress factory, byte[] factoryData, byte[] signature) {

  private static final byte[] MARK = Hex.parse("0x" + "6492".repeat(16));

  /** Whether a signature says that it is one. */
  public static boolean marks(byte[] signature) {
    int start = signature.length - MARK.length;
    return start >= 0 && Arrays.equals(signature, start, signature.length, MARK, 0, MARK.length);
  }

  /** What the wallet judges, without what would deploy the wallet. */
  public static byte[] stripped(byte[] signature) {
    return marks(signature)
        ? read(signature).map(DeployingSignature::signature).orElse(signature)
        : signature;
  }

  /** The parts of a marked signature; empty if it cannot be read. */
  public static Optional<DeployingSignature> read(byte[] signature) {
    try {
      AbiReader parts = new AbiReader(Arrays.copyOf(signature, signature.length - MARK.length), 0);
      return Optional.of(
          new DeployingSignature(EvmAddress.ofWord(parts.word(0)), parts.bytes(1), parts.bytes(2)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
