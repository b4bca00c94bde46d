package dev.octroi.api.settings;

/** How the access log writes its lines, {@code gateway.access-log}. */
public enum AccessLogForm {
  /** Not at all. */
  OFF,
  /** For people: the parts in a fixed order, a dash for what is not there. */
  TEXT,
  /** One JSON object a line. */
  JSON
}
