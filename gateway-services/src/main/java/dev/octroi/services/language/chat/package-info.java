/**
 * The chat-completions protocol. What it says that no other can, and is refused in a translation:
 * several candidates, log probabilities, biases, audio, stored files and answers, tools without a
 * schema, the upstream's own search, the retired functions. What is dropped because only the
 * upstream's economy or books know it: service tiers, cache keys, predictions, names of speakers.
 * Thoughts stand in {@code reasoning_content} and {@code reasoning_details}, as compatible hosts
 * write them. What it cannot say itself: see {@link
 * dev.octroi.services.language.chat.ChatPromptWriter}.
 */
@NullMarked
package dev.octroi.services.language.chat;

import org.jspecify.annotations.NullMarked;
