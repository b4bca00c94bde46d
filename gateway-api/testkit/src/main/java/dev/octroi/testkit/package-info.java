/**
 * The behaviour that every deployment of the gateway must show, as tests that need only a base URL:
 * {@link dev.octroi.testkit.GatewayBehaviour} is all of it.
 */
@NullMarked
package dev.octroi.testkit;

import org.jspecify.annotations.NullMarked;
