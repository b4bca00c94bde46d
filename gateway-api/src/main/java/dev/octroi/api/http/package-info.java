/** What HTTP wants besides the answer: cross-origin rules, compression, body limits, headers. */
@NullMarked
package dev.octroi.api.http;

import org.jspecify.annotations.NullMarked;
