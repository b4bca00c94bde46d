/**
 * Webhooks (Standard Webhooks): what takes events from the ledger's outbox, sends them to the
 * endpoints that the settings name until each has them, and keeps a log of that.
 */
@NullMarked
package dev.octroi.api.webhook;

import org.jspecify.annotations.NullMarked;
