/** What tells load balancers and orchestrators whether this node lives and may be sent calls. */
@NullMarked
package dev.octroi.api.health;

import org.jspecify.annotations.NullMarked;
