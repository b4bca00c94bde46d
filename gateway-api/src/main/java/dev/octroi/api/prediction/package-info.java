/** The prediction-market group: its rows, and the vendor whom it asks. */
@NullMarked
package dev.octroi.api.prediction;

import org.jspecify.annotations.NullMarked;
