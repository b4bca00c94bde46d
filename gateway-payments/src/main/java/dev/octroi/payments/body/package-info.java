/**
 * Request bodies: taken in within limits of length, time, memory and disk, whichever container
 * received them, and hashed for what binds a payment to its request.
 */
@NullMarked
package dev.octroi.payments.body;

import org.jspecify.annotations.NullMarked;
