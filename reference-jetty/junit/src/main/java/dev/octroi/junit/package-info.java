/**
 * What the tests of a host that sells something need and should not have to write: money that is
 * worthless, a server, and payers.
 */
@NullMarked
package dev.octroi.junit;

import org.jspecify.annotations.NullMarked;
