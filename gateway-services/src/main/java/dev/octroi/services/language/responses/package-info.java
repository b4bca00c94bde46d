/**
 * The responses protocol, without its memory: what refers to stored answers, conversations or
 * templates, or runs in the background, is refused outright. What it says that no other can, and is
 * refused in a translation: tools that the upstream runs itself, stored files, automatic
 * truncation, log probabilities. What is dropped because only the upstream's economy or books know
 * it: service tiers, cache keys, padding of streams. What it cannot say itself: see {@link
 * dev.octroi.services.language.responses.ResponsesPromptWriter}.
 */
@NullMarked
package dev.octroi.services.language.responses;

import org.jspecify.annotations.NullMarked;
