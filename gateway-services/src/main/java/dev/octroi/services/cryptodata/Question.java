package dev.octroi.services.cryptodata;

import java.util.Optional;

/**
 * What a caller of {@code POST /onchain/query} asks.
 *
 * @param source the table, if the caller names one
 * @param text natural language
 * @param limit rows at most, if the caller says so
 */
public record Question(Optional<String> source, String text, Optional<Integer> limit) {}
