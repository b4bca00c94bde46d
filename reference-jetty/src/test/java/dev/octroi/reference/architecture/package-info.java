/**
 * The rules of the house as tests: what may see what, and what code may not do. Each rule takes the
 * root package, so that it can be shown to fail on the {@code broken} house.
 */
@NullMarked
package dev.octroi.reference.architecture;

import org.jspecify.annotations.NullMarked;
