/**
 * Carries a prompt to the models that can take it and their answer back: chooses and prices the
 * models, asks one after the other until one begins to answer, and knows in the end what was used.
 */
@NullMarked
package dev.octroi.services.language.relay;

import org.jspecify.annotations.NullMarked;
