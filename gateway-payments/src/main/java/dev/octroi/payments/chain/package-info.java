/**
 * What all chains have in common: how their families are told apart, and how their nodes are asked.
 * What a family's payments mean is the business of its own package.
 */
@NullMarked
package dev.octroi.payments.chain;

import org.jspecify.annotations.NullMarked;
