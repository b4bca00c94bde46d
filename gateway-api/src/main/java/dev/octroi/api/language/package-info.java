/**
 * Language models over HTTP: three protocols, one service for all of them, and the list of what can
 * be called.
 */
@NullMarked
package dev.octroi.api.language;

import org.jspecify.annotations.NullMarked;
