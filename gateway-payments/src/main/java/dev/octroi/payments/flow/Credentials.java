package dev.octroi.payments.flow;

import dev.octroi.payments.account.ApiKey;
import java.util.Optional;

/** What a request pays by: a payment, else an API key, else nothing. */
record Credentials(Optional<PaymentHeader> header, Optional<ApiKey> key) {}
