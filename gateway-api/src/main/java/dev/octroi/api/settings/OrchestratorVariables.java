package dev.octroi.api.settings;

import java.util.regex.Pattern;

/**
 * Environment variables that a container orchestrator injects for a service that happens to be
 * called "gateway". They look like settings, and the operator did not set them.
 */
final class OrchestratorVariables {

  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "GATEWAY_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT"
              + "|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

  private OrchestratorVariables() {}

  static boolean isOne(String name) {
    return SERVICE_LINK.matcher(name).matches();
  }
}
