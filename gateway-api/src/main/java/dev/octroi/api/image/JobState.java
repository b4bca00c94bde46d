package dev.octroi.api.image;

/** Where a job stands (specification, image generation job). */
enum JobState {
  QUEUED("queued"),
  IN_PROGRESS("in_progress"),
  COMPLETED("completed"),
  FAILED("failed");

  private final String word;

  JobState(String word) {
    this.word = word;
  }

  /** As callers are told. */
  String word() {
    return word;
  }

  boolean isRunning() {
    return this == QUEUED || this == IN_PROGRESS;
  }
}
