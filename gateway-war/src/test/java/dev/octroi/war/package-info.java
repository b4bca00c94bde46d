/** The gateway in servers and hosts that are not its own: the whole test kit over each of them. */
@NullMarked
package dev.octroi.war;

import org.jspecify.annotations.NullMarked;
