package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One way to pay, as an entry of {@code accepts} (x402 v2).
 *
 * @param scheme {@code exact}
 * @param network CAIP-2 id
 * @param amount atomic units of the asset, a decimal integer above zero
 * @param asset the token, EIP-55 checksummed on EVM
 * @param payTo the recipient
 * @param maxTimeoutSeconds how long an authorization may live
 * @param extra what the scheme needs besides: on EVM the token's EIP-712 {@code name} and {@code
 *     version}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PaymentRequirements(
    String scheme,
    String network,
    String amount,
    String asset,
    String payTo,
    int maxTimeoutSeconds,
    @Nullable Map<String, Object> extra) {}
