package dev.octroi.services.web;

import java.net.URI;
import java.util.Optional;

/**
 * What there is to read on a page.
 *
 * @param url where it was found
 * @param title empty where it has none
 * @param published ISO 8601, where the page tells
 * @param markdown its content; links are absolute
 */
public record ReadablePage(URI url, String title, Optional<String> published, String markdown) {}
