package dev.octroi.api.voice;

import dev.octroi.api.house.Mounted;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands the room to the group's resources, on every implementation and without injection. */
public final class VoiceResolver implements ContextResolver<VoiceRoom> {

  /** What serves the group, for the application's classes. */
  public static final List<Class<?>> RESOURCES =
      List.of(VoiceResource.class, VoiceWebhookResource.class);

  private final VoiceRoom room;

  public VoiceResolver(VoiceRoom room) {
    this.room = room;
  }

  @Override
  public @Nullable VoiceRoom getContext(Class<?> type) {
    return type == VoiceRoom.class ? room : null;
  }

  static VoiceRoom room(Providers providers) {
    return Mounted.of(providers, VoiceRoom.class);
  }
}
