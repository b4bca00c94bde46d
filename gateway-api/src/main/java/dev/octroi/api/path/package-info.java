/**
 * Paths before they are matched: aliases become the canonical path, and a spelling that two parties
 * could read differently is refused.
 */
@NullMarked
package dev.octroi.api.path;

import org.jspecify.annotations.NullMarked;
