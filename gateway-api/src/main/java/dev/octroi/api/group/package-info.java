/** The groups of endpoints as a closed table; everything that differs by group asks it. */
@NullMarked
package dev.octroi.api.group;

import org.jspecify.annotations.NullMarked;
