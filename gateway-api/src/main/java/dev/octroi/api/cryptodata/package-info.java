/** The crypto-data group: its rows, its on-chain methods, and the vendor whom it asks. */
@NullMarked
package dev.octroi.api.cryptodata;

import org.jspecify.annotations.NullMarked;
