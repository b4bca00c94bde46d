/**
 * One neutral form between the language protocols that callers speak and those that upstreams
 * speak, so that every model is reachable through every protocol. A {@link
 * dev.octroi.services.language.Protocol} reads its own bytes into the form and writes them from it;
 * what no other protocol can say is named in the prompt and refused when a translation is needed,
 * never dropped in silence. Where both ends speak the same, bytes pass untouched but for the
 * members that {@link dev.octroi.services.language.BodyEdit} replaces.
 */
@NullMarked
package dev.octroi.services.language;

import org.jspecify.annotations.NullMarked;
