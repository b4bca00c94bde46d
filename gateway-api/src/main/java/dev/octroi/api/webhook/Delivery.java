package dev.octroi.api.webhook;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way to an endpoint, as it is shown.
 *
 * @param endpoint the word of the endpoint
 * @param event what the receiver knows the event by
 * @param type of the event
 * @param state waiting, delivered or failed
 * @param attempts how often it was sent
 * @param due when it is sent next; null where it is not
 * @param tried when it was sent last; null if it never was
 * @param status HTTP status of the last answer; null if there was none
 * @param answer how that answer begins, or why there was none
 */
public record Delivery(
    UUID id,
    String endpoint,
    String event,
    String type,
    String state,
    int attempts,
    Instant created,
    @Nullable Instant due,
    @Nullable Instant tried,
    @Nullable Integer status,
    @Nullable String answer) {}
