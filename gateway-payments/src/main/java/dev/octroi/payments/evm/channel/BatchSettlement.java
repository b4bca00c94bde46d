package dev.octroi.payments.evm.channel;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.TokenDomain;
import java.math.BigInteger;

/**
 * The contract that holds the money of channels: its addresses, which are the same on all chains.
 */
public final class BatchSettlement {

  /** Holds the money, and pays it out for vouchers. */
  public static final EvmAddress ADDRESS =
      EvmAddress.parseChecked("0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003");

  /** Collects deposits that the token itself authorizes (EIP-3009). */
  public static final EvmAddress DEPOSIT_COLLECTOR =
      EvmAddress.parseChecked("0x4020806089470a89826cB9fB1f4059150b550004");

  /** Collects deposits that Permit2 moves. */
  public static final EvmAddress PERMIT_COLLECTOR =
      EvmAddress.parseChecked("0x4020425FAf3B746C082C2f942b4E5159887B0005");

  /** The shortest delay of a payer's own withdrawal, in seconds. */
  public static final long MIN_WITHDRAW_DELAY = 900;

  /** The longest one: 30 days. */
  public static final long MAX_WITHDRAW_DELAY = 2_592_000;

  /** What the protocol's reasons of this scheme begin with. */
  public static final String PREFIX = "invalid_batch_settlement_evm_";

  private static final BigInteger UINT128_END = BigInteger.ONE.shiftLeft(128);

  private BatchSettlement() {}

  /** The EIP-712 domain of what is signed for channels. */
  static TokenDomain domain(long chainId) {
    return new TokenDomain("x402 Batch Settlement", "1", chainId, ADDRESS);
  }

  /** Whether the contract can count so much. */
  static boolean isCountable(BigInteger amount) {
    return amount.compareTo(UINT128_END) < 0;
  }
}
