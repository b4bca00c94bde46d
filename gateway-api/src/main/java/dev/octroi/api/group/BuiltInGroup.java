package dev.octroi.api.group;

import java.util.List;

/** A group that every gateway has: under one profile, with the same resource classes. */
public abstract class BuiltInGroup implements Group {

  private final Profile profile;
  private final List<Class<?>> resources;

  protected BuiltInGroup(Profile profile, Class<?>... resources) {
    this.profile = profile;
    this.resources = List.of(resources);
  }

  @Override
  public final Profile profile() {
    return profile;
  }

  @Override
  public final List<Class<?>> resources() {
    return resources;
  }
}
