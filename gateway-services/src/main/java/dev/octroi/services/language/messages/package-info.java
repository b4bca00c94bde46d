/**
 * The messages protocol. What it says that no other can, and is refused in a translation: tools
 * that the upstream runs itself, stored files, documents with context or citations, containers,
 * context management. What is dropped because only the upstream's economy or books know it: cache
 * marks, service tiers. What it cannot say itself: see {@link
 * dev.octroi.services.language.messages.MessagesPromptWriter}.
 */
@NullMarked
package dev.octroi.services.language.messages;

import org.jspecify.annotations.NullMarked;
