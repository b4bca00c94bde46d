/**
 * Fetching pages of the public web for strangers: a guard that keeps them out of every other
 * network, and readable Markdown of what was fetched. Events are posted through the same guard.
 */
@NullMarked
package dev.octroi.services.web;

import org.jspecify.annotations.NullMarked;
