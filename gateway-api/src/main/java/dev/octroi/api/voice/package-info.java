/**
 * Voice as its callers know it: bodies and records, the calls that were placed, and what is done
 * for them when nobody asks.
 */
@NullMarked
package dev.octroi.api.voice;

import org.jspecify.annotations.NullMarked;
