package dev.octroi.services.language;

/**
 * A source that a text names.
 *
 * @param url where the source is
 * @param title its title, may be empty
 * @param quoted the words of the source, may be empty
 * @param start first character of the text that rests on the source, 0 where that is not known
 * @param end the character after the last, 0 where that is not known
 */
public record Citation(String url, String title, String quoted, int start, int end) {}
