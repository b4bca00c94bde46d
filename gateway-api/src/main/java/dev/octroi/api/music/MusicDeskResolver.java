package dev.octroi.api.music;

import dev.octroi.api.house.Mounted;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import org.jspecify.annotations.Nullable;

/** Hands the desk to its resource, on every implementation and without injection. */
public final class MusicDeskResolver implements ContextResolver<MusicDesk> {

  private final MusicDesk desk;

  public MusicDeskResolver(MusicDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable MusicDesk getContext(Class<?> type) {
    return type == MusicDesk.class ? desk : null;
  }

  static MusicDesk of(Providers providers) {
    return Mounted.of(providers, MusicDesk.class);
  }
}
