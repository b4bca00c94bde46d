/**
 * What agents and those who write them read before they buy: listings for machines, a text for
 * language models, what challenges say of their resource, and a page for browsers. All of it from
 * the catalogue and the price book.
 */
@NullMarked
package dev.octroi.api.discovery;

import org.jspecify.annotations.NullMarked;
