/**
 * What the gateway sells: answers, and the failures that stand for none. Knows no HTTP server and
 * no payments.
 */
@NullMarked
package dev.octroi.services;

import org.jspecify.annotations.NullMarked;
