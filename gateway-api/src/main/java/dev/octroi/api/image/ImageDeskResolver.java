package dev.octroi.api.image;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the desk to the image resources, on every implementation and without injection. */
public final class ImageDeskResolver implements ContextResolver<ImageDesk> {

  private final ImageDesk desk;

  public ImageDeskResolver(ImageDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable ImageDesk getContext(Class<?> type) {
    return type == ImageDesk.class ? desk : null;
  }
}
