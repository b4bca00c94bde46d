/**
 * A model that does what it is told, behind the wire protocols of three language vendors. It shares
 * no code with the gateway's own protocols, which it is there to test.
 */
@NullMarked
package dev.octroi.sandbox.language;

import org.jspecify.annotations.NullMarked;
