/**
 * Voice as its callers know it: bodies and records, the calls that were placed, and what the
 * gateway does for them unasked.
 */
@NullMarked
package dev.octroi.api.voice;

import org.jspecify.annotations.NullMarked;
