package dev.octroi.api.music;

import dev.octroi.api.house.Mounted;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import org.jspecify.annotations.Nullable;

/** Hands {@link MusicService} to the resource, on every implementation and without injection. */
public final class MusicServiceResolver implements ContextResolver<MusicService> {

  private final MusicService service;

  public MusicServiceResolver(MusicService service) {
    this.service = service;
  }

  @Override
  public @Nullable MusicService getContext(Class<?> type) {
    return type == MusicService.class ? service : null;
  }

  static MusicService of(Providers providers) {
    return Mounted.of(providers, MusicService.class);
  }
}
