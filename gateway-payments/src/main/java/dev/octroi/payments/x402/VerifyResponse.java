package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What a facilitator says of a payment that it was asked to verify (x402, facilitator interface).
 *
 * @param valid whether it would settle
 * @param invalidReason one of the protocol's reason strings, where it would not
 * @param payer the payer's address, where it could be read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VerifyResponse(
    @JsonProperty("isValid") boolean valid,
    @Nullable String invalidReason,
    @Nullable String payer) {}
