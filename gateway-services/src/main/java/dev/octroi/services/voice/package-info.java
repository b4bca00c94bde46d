/**
 * Voice: outbound calls that an assistant speaks, the vendor that places them, and the statuses
 * that they go through.
 */
@NullMarked
package dev.octroi.services.voice;

import org.jspecify.annotations.NullMarked;
