/** Errors as callers see them: the shape of each group, and nothing of the inside. */
@NullMarked
package dev.octroi.api.error;

import org.jspecify.annotations.NullMarked;
