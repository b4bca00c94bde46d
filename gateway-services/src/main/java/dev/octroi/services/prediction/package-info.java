/** The prediction-market group: its rows and its vendor's connector. */
@NullMarked
package dev.octroi.services.prediction;

import org.jspecify.annotations.NullMarked;
