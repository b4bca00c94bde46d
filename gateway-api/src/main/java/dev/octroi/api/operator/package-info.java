/** The operator's interface below {@code /admin/v1}, closed unless a token is set. */
@NullMarked
package dev.octroi.api.operator;

import org.jspecify.annotations.NullMarked;
