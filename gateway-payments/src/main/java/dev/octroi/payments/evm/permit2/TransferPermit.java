package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A payer's permission to move tokens once by Permit2, to one recipient.
 *
 * @param from the payer, who signs and is not part of what is signed
 * @param token the token's contract
 * @param amount atomic units
 * @param spender who may use the permit
 * @param nonce any number of 256 bits
 * @param deadline the last second at which it may be used, in Unix seconds
 * @param payTo the recipient
 * @param validAfter the first such second
 * @param facilitator who alone may use it, in the upto scheme; null in the exact one
 */
public record TransferPermit(
    EvmAddress from,
    EvmAddress token,
    BigInteger amount,
    EvmAddress spender,
    BigInteger nonce,
    BigInteger deadline,
    EvmAddress payTo,
    BigInteger validAfter,
    @Nullable EvmAddress facilitator)
    implements Permitted {

  private static final PermitWitness EXACT =
      new PermitWitness("Witness", "address to,uint256 validAfter");
  private static final PermitWitness UPTO =
      new PermitWitness("Witness", "address to,address facilitator,uint256 validAfter");

  /** What the payer signs on a chain: 32 bytes. */
  public byte[] digest(long chainId) {
    return (facilitator == null ? EXACT : UPTO)
        .digest(chainId, this, spender, nonce, deadline, witness());
  }

  private byte[] witness() {
    return facilitator == null
        ? AbiWords.of(payTo, validAfter)
        : AbiWords.of(payTo, facilitator, validAfter);
  }
}
