package dev.octroi.services.read;

/**
 * What a memory of answers has been good for since the start.
 *
 * @param hits how often an answer was there and fresh
 * @param misses how often there was none
 */
public record CacheFigures(long hits, long misses) {}
