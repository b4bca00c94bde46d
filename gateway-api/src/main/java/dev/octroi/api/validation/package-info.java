/** Constraints on records, checked by us: what a container makes of them differs. */
@NullMarked
package dev.octroi.api.validation;

import org.jspecify.annotations.NullMarked;
