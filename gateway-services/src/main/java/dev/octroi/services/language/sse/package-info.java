/** Server-sent events, read and written as the bytes come, an event at a time. */
@NullMarked
package dev.octroi.services.language.sse;

import org.jspecify.annotations.NullMarked;
