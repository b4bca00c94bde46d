/** What operators change of the settings while gateways serve: written once, kept for ever. */
@NullMarked
package dev.octroi.api.change;

import org.jspecify.annotations.NullMarked;
