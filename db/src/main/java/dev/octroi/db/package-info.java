/** The schema of the gateway and the class that applies and verifies it. */
@NullMarked
package dev.octroi.db;

import org.jspecify.annotations.NullMarked;
