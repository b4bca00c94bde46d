/** Web search as its callers write it: the bodies, and what of the group is open. */
@NullMarked
package dev.octroi.api.websearch;

import org.jspecify.annotations.NullMarked;
