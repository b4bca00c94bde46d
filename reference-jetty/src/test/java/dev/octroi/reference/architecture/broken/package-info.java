/** A small house that breaks the rules on purpose: a rule that cannot fail shows nothing. */
@NullMarked
package dev.octroi.reference.architecture.broken;

import org.jspecify.annotations.NullMarked;
