package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.EvmAddress;
import java.math.BigInteger;

/** What a payer lets Permit2 move, whatever else it has signed with that. */
public interface Permitted {

  /** The payer. */
  EvmAddress from();

  /** The token's contract. */
  EvmAddress token();

  /** Atomic units. */
  BigInteger amount();
}
