package dev.octroi.api.settings;

/**
 * A value as some source gives it.
 *
 * @param name the full key, or the name of an environment variable
 * @param value never shown in messages where the key is a secret
 * @param place what a message calls it: {@code octroi.properties:12}
 * @param environment whether the name is that of an environment variable
 */
public record Given(String name, String value, String place, boolean environment) {}
