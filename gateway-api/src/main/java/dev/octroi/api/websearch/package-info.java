/**
 * The web-search group: the bodies as its callers write them, its vendor, and pages that the
 * gateway fetches itself.
 */
@NullMarked
package dev.octroi.api.websearch;

import org.jspecify.annotations.NullMarked;
