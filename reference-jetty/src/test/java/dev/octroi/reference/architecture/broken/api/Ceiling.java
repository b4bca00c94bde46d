package dev.octroi.reference.architecture.broken.api;

import dev.octroi.reference.architecture.broken.api.cellar.Cellar;

/** An entry point that what lies below it sees. */
public record Ceiling(Cellar cellar) {}
