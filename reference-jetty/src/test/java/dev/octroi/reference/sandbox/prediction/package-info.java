/** Shows over HTTP that the sandbox's prediction vendor keeps its shapes and its promises. */
@NullMarked
package dev.octroi.reference.sandbox.prediction;

import org.jspecify.annotations.NullMarked;
