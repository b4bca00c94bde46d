package dev.octroi.sandbox.vendor;

/**
 * A file as the body of a {@link SandboxAnswer}.
 *
 * @param bytes do not modify
 */
public record SandboxFile(String mediaType, byte[] bytes) {}
