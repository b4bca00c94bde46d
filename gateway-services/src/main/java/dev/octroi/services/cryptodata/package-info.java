/** The crypto-data group: its rows, its SQL and query methods, and its vendor's connector. */
@NullMarked
package dev.octroi.services.cryptodata;

import org.jspecify.annotations.NullMarked;
