/** Files that answers link to, kept until they expire and served under unguessable addresses. */
@NullMarked
package dev.octroi.api.asset;

import org.jspecify.annotations.NullMarked;
