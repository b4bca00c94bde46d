/** Traces of calls, their payments and upstreams, sent to an OpenTelemetry receiver. */
@NullMarked
package dev.octroi.api.trace;

import org.jspecify.annotations.NullMarked;
