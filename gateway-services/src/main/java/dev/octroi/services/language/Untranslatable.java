package dev.octroi.services.language;

/**
 * A member of a prompt that means something and that no other protocol can say.
 *
 * @param member where it stands in the caller's body
 */
public record Untranslatable(String member) {}
