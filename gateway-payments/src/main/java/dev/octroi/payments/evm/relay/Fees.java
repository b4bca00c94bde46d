package dev.octroi.payments.evm.relay;

import java.math.BigInteger;

/**
 * What is offered for a unit of gas (EIP-1559), in wei.
 *
 * @param max base fee and tip together
 * @param tip what the block's producer gets of it
 */
record Fees(BigInteger max, BigInteger tip) {

  private static final BigInteger EIGHT = BigInteger.valueOf(8);

  /** Nodes take a replacement only if both are at least 12.5 % higher. */
  Fees raised() {
    return new Fees(raised(max), raised(tip));
  }

  private static BigInteger raised(BigInteger fee) {
    return fee.add(fee.add(EIGHT).divide(EIGHT)).max(fee.add(BigInteger.ONE));
  }

  Fees atLeast(Fees other) {
    return new Fees(max.max(other.max), tip.max(other.tip));
  }

  boolean isWithin(BigInteger cap) {
    return max.compareTo(cap) <= 0;
  }

  /** What a transaction may cost at most. */
  BigInteger cost(long gas) {
    return max.multiply(BigInteger.valueOf(gas));
  }
}
