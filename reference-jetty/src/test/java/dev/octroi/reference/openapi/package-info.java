/** The description held against a running gateway: generated calls of every operation. */
@NullMarked
package dev.octroi.reference.openapi;

import org.jspecify.annotations.NullMarked;
