package dev.octroi.examples.hall;

/** What a cent buys, written as JSON by the host's own provider. */
public record Report(String place, int visitors) {}
