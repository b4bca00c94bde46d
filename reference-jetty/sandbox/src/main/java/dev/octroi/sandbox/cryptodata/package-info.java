/**
 * The crypto-data vendor of the sandbox: its paths, parameters, envelopes and errors, with values
 * that agree with each other. It exists so that the gateway's connector can be tried against the
 * wire protocol without a key.
 */
@NullMarked
package dev.octroi.sandbox.cryptodata;

import org.jspecify.annotations.NullMarked;
