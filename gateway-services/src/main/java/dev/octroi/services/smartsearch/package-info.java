/**
 * Smart search: the web search finds pages, a model of the catalogue writes what they say, and
 * every number in its text leads to one of them.
 */
@NullMarked
package dev.octroi.services.smartsearch;

import org.jspecify.annotations.NullMarked;
