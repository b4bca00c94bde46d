/**
 * What a call of a language model costs: asked before from counted tokens, charged by its usage.
 */
@NullMarked
package dev.octroi.services.language.price;

import org.jspecify.annotations.NullMarked;
