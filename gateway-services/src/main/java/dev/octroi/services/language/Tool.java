package dev.octroi.services.language;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A function that the caller runs when the model asks for it.
 *
 * @param schema JSON schema of the arguments; null where the caller gave none
 * @param strict whether arguments must fit the schema; null for the protocol's default
 */
public record Tool(
    String name,
    @Nullable String description,
    @Nullable JsonNode schema,
    @Nullable Boolean strict,
    @Nullable CacheMark mark) {}
