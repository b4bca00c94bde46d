/** What every outgoing call of the payments has in common: limits on what comes back. */
@NullMarked
package dev.octroi.payments.http;

import org.jspecify.annotations.NullMarked;
