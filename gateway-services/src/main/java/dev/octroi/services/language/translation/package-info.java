/**
 * Joins the protocol of a caller with the protocol of an upstream: translates where they differ,
 * passes bytes where they do not, and tells the gateway's accounts what went by.
 */
@NullMarked
package dev.octroi.services.language.translation;

import org.jspecify.annotations.NullMarked;
