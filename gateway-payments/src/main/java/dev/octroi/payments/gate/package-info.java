/**
 * The JAX-RS side of a paid call: challenge, claim, settlement and release around a resource
 * method.
 */
@NullMarked
package dev.octroi.payments.gate;

import org.jspecify.annotations.NullMarked;
