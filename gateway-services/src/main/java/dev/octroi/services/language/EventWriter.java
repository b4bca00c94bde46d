package dev.octroi.services.language;

/** Turns one stream's events into a protocol's bytes. Holds its state; for one thread. */
public interface EventWriter {

  /** The bytes that tell the event, which may be none. */
  byte[] write(Event event);
}
