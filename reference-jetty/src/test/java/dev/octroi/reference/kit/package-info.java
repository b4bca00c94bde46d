/** The behaviour kit, run over the reference deployment. */
@NullMarked
package dev.octroi.reference.kit;

import org.jspecify.annotations.NullMarked;
