package dev.octroi.api.image;

/** Where a job stands (specification, image generation job). */
enum JobState {
  QUEUED(1, "queued"),
  IN_PROGRESS(2, "in_progress"),
  COMPLETED(3, "completed"),
  FAILED(4, "failed");

  private final int code;
  private final String word;

  JobState(int code, String word) {
    this.code = code;
    this.word = word;
  }

  /** As the database has it. */
  int code() {
    return code;
  }

  /** As callers are told. */
  String word() {
    return word;
  }

  boolean isRunning() {
    return this == QUEUED || this == IN_PROGRESS;
  }

  static JobState of(int code) {
    return values()[code - 1];
  }
}
