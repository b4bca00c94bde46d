package dev.octroi.api.image;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/**
 * Hands {@link ImageService} to the image resources, on every implementation and without injection.
 */
public final class ImageServiceResolver implements ContextResolver<ImageService> {

  private final ImageService service;

  public ImageServiceResolver(ImageService service) {
    this.service = service;
  }

  @Override
  public @Nullable ImageService getContext(Class<?> type) {
    return type == ImageService.class ? service : null;
  }
}
