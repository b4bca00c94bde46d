/** The paying side: wallets that sign authorizations and an HTTP client that answers a 402. */
@NullMarked
package dev.octroi.payments.client;

import org.jspecify.annotations.NullMarked;
