package dev.octroi.api.voice;

import jakarta.ws.rs.core.MediaType;
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
    ContextResolver<VoiceRoom> resolver =
        providers.getContextResolver(VoiceRoom.class, MediaType.WILDCARD_TYPE);
    VoiceRoom room = resolver == null ? null : resolver.getContext(VoiceRoom.class);
    if (room == null) {
      throw new IllegalStateException("register a GatewayFeature beside the gateway's resources");
    }
    return room;
  }
}
