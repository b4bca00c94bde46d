/**
 * The groups of language models and of smart search: three protocols, one service, and the list of
 * what can be called.
 */
@NullMarked
package dev.octroi.api.language;

import org.jspecify.annotations.NullMarked;
