/**
 * Web search: what may be asked, the vendor that is asked, and the records that the specification
 * states for its answers.
 */
@NullMarked
package dev.octroi.services.websearch;

import org.jspecify.annotations.NullMarked;
