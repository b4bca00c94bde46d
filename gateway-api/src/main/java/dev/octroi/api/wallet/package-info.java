/** What the owner of an API key sees of it and may change: wallet, limits, usage. */
@NullMarked
package dev.octroi.api.wallet;

import org.jspecify.annotations.NullMarked;
