package dev.octroi.war;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The settings of a web application: the process's, and below them the context's init parameters
 * whose names begin {@code gateway.}.
 */
final class ContextSettings {

  private static final String PREFIX = "gateway.";

  private ContextSettings() {}

  /**
   * Reads them.
   *
   * @throws dev.octroi.api.settings.InvalidSettings with every problem
   */
  static GatewaySettings of(ServletContext context) {
    return GatewaySettings.read(
        SettingsSources.ofProcess().values("context parameter", parameters(context)));
  }

  private static Map<String, String> parameters(ServletContext context) {
    Map<String, String> parameters = new HashMap<>();
    for (String name : Collections.list(context.getInitParameterNames())) {
      if (name.startsWith(PREFIX)) {
        parameters.put(name, context.getInitParameter(name));
      }
    }
    return parameters;
  }
}
