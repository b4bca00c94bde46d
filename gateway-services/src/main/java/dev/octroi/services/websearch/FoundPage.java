package dev.octroi.services.websearch;

import java.util.Optional;

/**
 * A page that a search found.
 *
 * @param title empty where it has none
 * @param publishedDate ISO 8601, as the vendor spelled it
 * @param text the page's text, where it was asked for and is there
 */
public record FoundPage(
    String title, String url, Optional<String> publishedDate, Optional<String> text) {}
