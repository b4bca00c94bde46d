package dev.octroi.payments.simulation;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.KeyBytes;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the payer of a channel has signed for one call.
 *
 * @param before what was charged so far, as its payer counts
 * @param price what the call costs at most
 * @param deposit what it puts into the channel first
 */
record Voucher(
    String channel, String payer, long before, long price, Optional<Authorization> deposit) {

  static final String NETWORK = "eip155:31337";
  static final String SELLER = "0x" + "5e".repeat(20);

  private static final Instant NEVER = Instant.parse("2030-01-01T00:00:00Z");

  /** What may be taken out of the channel in all. */
  long permits() {
    return before + price;
  }

  static byte[] signature(String channel, long permitted) {
    return (channel + " signs " + permitted).getBytes(StandardCharsets.US_ASCII);
  }

  PaymentKey key() {
    return new PaymentKey(
        NETWORK,
        channel,
        ChannelNonce.key(
            BigInteger.valueOf(permits()),
            BigInteger.valueOf(price),
            deposit.map(put -> ChannelNonce.ofSalt(new BigInteger(put.nonce().substring(2), 16)))));
  }

  /** The deposit that a payment brings by its key; of any other, its own nonce. */
  static String nonce(PaymentKey key) {
    return key.network().equals(NETWORK)
        ? ChannelNonce.deposit(KeyBytes.of(NETWORK, key.nonce())).map(Hex::of).orElse("")
        : key.nonce();
  }

  /**
   * Asks with it for what lies at a path.
   *
   * @param told what the contract holds for the channel, as its node knows
   * @param funds what the payer has
   */
  ClaimRequest claim(String path, SimulatedContract.Held told, long funds) {
    return new ClaimRequest(
            key(),
            new RequestBinding("GET", path, "", "00".repeat(32)),
            "11".repeat(32),
            price,
            Authorization.ASSET,
            SELLER,
            deposit.map(Authorization::validBefore).orElse(NEVER),
            OptionalLong.of(told.spendable() + deposit.map(Authorization::amount).orElse(0L)),
            Redelivery.STORED)
        .outOf(Optional.of(use().onChain(told.claimed(), OptionalLong.of(funds))));
  }

  private ChannelUse use() {
    return new ChannelUse(
        channel,
        payer,
        "terms",
        before,
        signature(channel, permits()),
        deposit.map(put -> new ChannelUse.Deposit(put.nonce(), put.amount())));
  }
}
