/**
 * How families of chains are told apart, for the code that serves all of them. What a family's
 * payments mean is the business of its own package.
 */
@NullMarked
package dev.octroi.payments.chain;

import org.jspecify.annotations.NullMarked;
