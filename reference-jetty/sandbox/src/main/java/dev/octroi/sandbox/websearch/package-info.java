/**
 * The search vendor of the sandbox: its wire protocol over a real full-text search of some forty
 * documents, so that what it finds, quotes and answers agrees.
 */
@NullMarked
package dev.octroi.sandbox.websearch;

import org.jspecify.annotations.NullMarked;
