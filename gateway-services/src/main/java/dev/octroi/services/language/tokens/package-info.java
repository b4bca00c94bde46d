/** How many tokens a call will read, known before it runs so that it can be priced. */
@NullMarked
package dev.octroi.services.language.tokens;

import org.jspecify.annotations.NullMarked;
