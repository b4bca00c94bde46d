/**
 * Which model runs a request: the one it names, the one a route chooses, or what takes its place.
 */
@NullMarked
package dev.octroi.services.language.route;

import org.jspecify.annotations.NullMarked;
