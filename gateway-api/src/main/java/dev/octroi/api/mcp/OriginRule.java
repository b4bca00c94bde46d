package dev.octroi.api.mcp;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which web pages may call tools (Model Context Protocol, transports, security). A page whose name
 * was rebound to this machine's address gives itself away by its origin; the host that it names
 * proves nothing.
 */
record OriginRule(List<String> allowed, Optional<URI> publicUrl) {

  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String ANY = "*";

  OriginRule {
    allowed = List.copyOf(allowed);
  }

  /**
   * @param origin the header; null from whatever is no page
   */
  boolean allows(@Nullable String origin) {
    if (origin == null || allowed.contains(ANY) || allowed.contains(origin)) {
      return true;
    }
    try {
      URI page = URI.create(origin);
      return THIS_MACHINE.contains(String.valueOf(page.getHost()))
          || publicUrl.filter(own -> isSame(own, page)).isPresent();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isSame(URI own, URI page) {
    return own.getScheme().equalsIgnoreCase(page.getScheme())
        && own.getRawAuthority().equalsIgnoreCase(page.getRawAuthority());
  }
}
