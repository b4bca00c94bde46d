/**
 * Servers that the operator sells below a path of the gateway's: what their settings say, which of
 * it a request buys, and how the request is passed on.
 */
@NullMarked
package dev.octroi.api.route;

import org.jspecify.annotations.NullMarked;
