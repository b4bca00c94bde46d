package dev.octroi.api.asset;

import dev.octroi.api.house.Mounted;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import org.jspecify.annotations.Nullable;

/** Hands the files to their resource, on every implementation and without injection. */
public final class AssetResolver implements ContextResolver<Assets> {

  private final Assets assets;

  public AssetResolver(Assets assets) {
    this.assets = assets;
  }

  @Override
  public @Nullable Assets getContext(Class<?> type) {
    return type == Assets.class ? assets : null;
  }

  /** The files of an application, for its other resources. */
  public static Assets of(Providers providers) {
    return Mounted.of(providers, Assets.class);
  }
}
