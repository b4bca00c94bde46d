/** The image vendor of the sandbox, which really draws: no test and no demo needs a model. */
@NullMarked
package dev.octroi.sandbox.images;

import org.jspecify.annotations.NullMarked;
