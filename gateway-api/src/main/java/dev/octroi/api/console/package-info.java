/** The operator's console: a page that works on the operator's interface, and nothing else. */
@NullMarked
package dev.octroi.api.console;

import org.jspecify.annotations.NullMarked;
