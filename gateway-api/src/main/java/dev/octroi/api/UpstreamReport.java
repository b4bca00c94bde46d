package dev.octroi.api;

import dev.octroi.services.upstream.Probe;
import java.util.Optional;

/**
 * What was found where an upstream should be.
 *
 * @param setting the prefix of the settings that say where it is, such as {@code
 *     gateway.upstream.phone}
 * @param host scheme and host of its address; the rest may hold a key
 * @param hasCredential whether one is set
 * @param answer what it said; empty if it could not be reached
 */
public record UpstreamReport(
    String setting, String host, boolean hasCredential, Optional<Probe> answer) {}
