/**
 * The gateway as a web application: what a server needs to start it with the application and to end
 * it with it.
 */
@NullMarked
package dev.octroi.war;

import org.jspecify.annotations.NullMarked;
