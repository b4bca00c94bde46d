/** What a caller may ask for at once and per minute; everything that counts is itself bounded. */
@NullMarked
package dev.octroi.api.limit;

import org.jspecify.annotations.NullMarked;
