/** Calling a provider: address, credential, deadline, connection cap, retry and circuit breaker. */
@NullMarked
package dev.octroi.services.upstream;

import org.jspecify.annotations.NullMarked;
