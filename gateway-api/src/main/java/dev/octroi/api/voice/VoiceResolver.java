package dev.octroi.api.voice;

import dev.octroi.api.house.Mounted;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands the components to the group's resources, on every implementation and without injection. */
public final class VoiceResolver implements ContextResolver<VoiceComponents> {

  /** What serves the group, for the application's classes. */
  public static final List<Class<?>> RESOURCES =
      List.of(VoiceResource.class, VoiceWebhookResource.class);

  private final VoiceComponents components;

  public VoiceResolver(VoiceComponents components) {
    this.components = components;
  }

  @Override
  public @Nullable VoiceComponents getContext(Class<?> type) {
    return type == VoiceComponents.class ? components : null;
  }

  static VoiceComponents components(Providers providers) {
    return Mounted.of(providers, VoiceComponents.class);
  }
}
