package dev.octroi.api.docs;

import dev.octroi.api.group.Group;
import java.util.List;

/**
 * What the home tells.
 *
 * @param sandbox whether the money is worthless
 * @param groups those of which something is sold
 */
public record Home(boolean sandbox, List<Group> groups) {

  public Home {
    groups = List.copyOf(groups);
  }
}
