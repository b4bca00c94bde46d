/**
 * Images over HTTP: calls that wait for their pictures, jobs that outlive the call, and the one
 * payment that each of them gets.
 */
@NullMarked
package dev.octroi.api.image;

import org.jspecify.annotations.NullMarked;
