/** Looks for what would keep a gateway of some settings from serving, before it is started. */
@NullMarked
package dev.octroi.reference.doctor;

import org.jspecify.annotations.NullMarked;
