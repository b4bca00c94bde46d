package dev.octroi.payments.x402;

import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.ChainFamily;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One way in which this server lets itself be paid, whatever the price.
 *
 * @param scheme {@value #EXACT}, {@value #UPTO} where the price is a ceiling, or {@value #CHANNEL}
 * @param network CAIP-2 id
 * @param asset the token, EIP-55 checksummed on EVM
 * @param payTo the recipient, EIP-55 checksummed on EVM
 * @param extra what the scheme needs besides: on EVM the token's EIP-712 {@code name} and {@code
 *     version}
 * @param maxTimeoutSeconds how long an authorization may live, 10 to 3600
 * @param decimals how many decimals the token has, 6 to 36
 */
public record PaymentOption(
    String scheme,
    String network,
    String asset,
    String payTo,
    Map<String, Object> extra,
    int maxTimeoutSeconds,
    int decimals) {

  /** The payer signs the price. */
  public static final String EXACT = "exact";

  /** The payer signs a ceiling, and is charged what was used. */
  public static final String UPTO = "upto";

  /** The payer puts money into a channel once, and signs what may be taken out of it in all. */
  public static final String CHANNEL = "batch-settlement";

  /** The member of {@code extra} that names the receiver's key for channels. */
  public static final String RECEIVER_AUTHORIZER = "receiverAuthorizer";

  /** The member of {@code extra} that says how long a payer's own withdrawal takes, in seconds. */
  public static final String WITHDRAW_DELAY = "withdrawDelay";

  /** The member of {@code extra} that names another transfer method than the network's usual. */
  public static final String TRANSFER_METHOD = "assetTransferMethod";

  /** The member of {@code extra} that names the account which settles a ceiling. */
  public static final String FACILITATOR = "facilitatorAddress";

  /** How long an authorization may live unless configured (specification, limits). */
  public static final int DEFAULT_TIMEOUT_SECONDS = 300;

  private static final Pattern CAIP_2 = Pattern.compile("[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}");

  /** Throws {@link IllegalArgumentException} where a member is out of its range. */
  public PaymentOption {
    if (!scheme.equals(EXACT) && !scheme.equals(UPTO) && !scheme.equals(CHANNEL)) {
      throw new IllegalArgumentException("a payment option is exact, upto or batch-settlement");
    }
    extra = Map.copyOf(extra);
    if (!CAIP_2.matcher(network).matches()) {
      throw new IllegalArgumentException("a network is a CAIP-2 id such as eip155:8453");
    }
    if (asset.isEmpty() || payTo.isEmpty()) {
      throw new IllegalArgumentException("a payment option names its asset and its recipient");
    }
    if (maxTimeoutSeconds < 10 || maxTimeoutSeconds > 3600) {
      throw new IllegalArgumentException("maxTimeoutSeconds is 10 to 3600");
    }
    if (decimals < Usd.DECIMALS || decimals > Usd.MAX_DECIMALS) {
      throw new IllegalArgumentException(
          "a token has 6 to 36 decimals, so that no price is rounded");
    }
  }

  /** A way to pay the price itself. */
  public PaymentOption(
      String network,
      String asset,
      String payTo,
      Map<String, Object> extra,
      int maxTimeoutSeconds,
      int decimals) {
    this(EXACT, network, asset, payTo, extra, maxTimeoutSeconds, decimals);
  }

  /** A way to pay the price itself in a token of six decimals. */
  public PaymentOption(
      String network,
      String asset,
      String payTo,
      Map<String, Object> extra,
      int maxTimeoutSeconds) {
    this(network, asset, payTo, extra, maxTimeoutSeconds, Usd.DECIMALS);
  }

  /** The same way to pay by another scheme, whose offers say one thing more. */
  public PaymentOption by(String other, String member, Object said) {
    Map<String, Object> more = new HashMap<>(extra);
    more.put(member, said);
    return new PaymentOption(other, network, asset, payTo, more, maxTimeoutSeconds, decimals);
  }

  /** Whether it is offered only where the charge is known afterwards. */
  public boolean isUpto() {
    return scheme.equals(UPTO);
  }

  /** Whether it is paid out of channels. */
  public boolean isChannel() {
    return scheme.equals(CHANNEL);
  }

  boolean isEvm() {
    return ChainFamily.of(network) == ChainFamily.EVM;
  }

  PaymentRequirements at(Usd price, Map<String, Object> extraNow) {
    return new PaymentRequirements(
        scheme,
        network,
        price.atomicUnits(decimals),
        asset,
        payTo,
        maxTimeoutSeconds,
        extraNow.isEmpty() ? null : extraNow,
        decimals);
  }
}
