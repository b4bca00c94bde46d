package dev.octroi.api.settings;

/** The operator's interface, {@code gateway.admin}. */
public record AdminSettings(
    @Setting(
            about =
                "Opens `/admin/v1` to callers that send it as `Authorization: Bearer …`; at least 24"
                    + " characters. Without it nothing is served there.")
        Secret token) {

  private static final int SHORTEST = 24;

  public AdminSettings {
    if (!token.value().isEmpty() && token.value().length() < SHORTEST) {
      throw new IllegalArgumentException("token has at least 24 characters");
    }
  }
}
