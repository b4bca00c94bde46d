/** The form of what the gateway itself says and takes: JSON, pages, cursors, refusals. */
@NullMarked
package dev.octroi.api.house;

import org.jspecify.annotations.NullMarked;
