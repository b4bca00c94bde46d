/**
 * Payments for any servlet application: holds an answer back until it is settled, by the one flow
 * of {@link dev.octroi.payments.flow}. It decides nothing about money and needs no JAX-RS.
 */
@NullMarked
package dev.octroi.payments.servlet;

import org.jspecify.annotations.NullMarked;
