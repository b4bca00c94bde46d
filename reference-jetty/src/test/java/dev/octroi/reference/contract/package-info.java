/** The gateway's connectors, held to the vendors' public contracts. */
@NullMarked
package dev.octroi.reference.contract;

import org.jspecify.annotations.NullMarked;
