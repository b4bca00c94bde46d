/**
 * What an operator can set: records per concern, bound from flat keys, every problem reported at
 * once and at its place.
 */
@NullMarked
package dev.octroi.api.settings;

import org.jspecify.annotations.NullMarked;
