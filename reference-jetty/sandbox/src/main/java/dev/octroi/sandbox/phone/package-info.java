/** The lookup and number vendor, so that numbers can be looked up and leased without an account. */
@NullMarked
package dev.octroi.sandbox.phone;

import org.jspecify.annotations.NullMarked;
