/**
 * The vendors' contracts as data, and the check that holds each request of the sandbox to them: one
 * text file for each vendor, whose format {@link dev.octroi.sandbox.contract.Contract} describes.
 */
@NullMarked
package dev.octroi.sandbox.contract;

import org.jspecify.annotations.NullMarked;
