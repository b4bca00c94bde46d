package dev.octroi.services.images;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import java.util.List;
import java.util.function.Consumer;

/** Draws and changes pictures. Implementations are thread-safe. */
public interface Images {

  /**
   * Draws what is ordered; waits for it.
   *
   * @param progress is given pictures of the work in progress as they come, if any were ordered
   * @return as many as ordered
   * @throws Failure 400 for what the model does not draw, {@code content_policy_violation} among
   *     it; 502 and 503 for an upstream that failed
   */
  List<DrawnPicture> draw(ImageOrder order, Deadline deadline, Consumer<DrawnPicture> progress);

  /**
   * Changes pictures; waits for it. Shows no work in progress: the caller has no job to look at.
   *
   * @throws Failure as {@link #draw}
   */
  List<DrawnPicture> edit(ImageEdit edit, Deadline deadline);
}
