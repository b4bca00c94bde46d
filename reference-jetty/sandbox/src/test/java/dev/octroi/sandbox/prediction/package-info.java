/** Shows over HTTP that the sandbox's prediction vendor keeps its shapes and its promises. */
@NullMarked
package dev.octroi.sandbox.prediction;

import org.jspecify.annotations.NullMarked;
