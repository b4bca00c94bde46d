/** Settings that change while gateways serve: written by an operator, followed by every node. */
@NullMarked
package dev.octroi.api.live;

import org.jspecify.annotations.NullMarked;
