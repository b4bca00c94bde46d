package dev.octroi.api.path;

/** Why a path or query is refused before anything is matched. */
enum PathFault {
  SEGMENT(400, "The path has a character that does not stand in a path here."),
  ESCAPE(400, "The path has an escape that hides a character, or is no UTF-8."),
  DOTS(400, "The path has a dot segment."),
  QUERY(400, "The query has a broken escape, or is no UTF-8."),
  EMPTY_SEGMENT(404, "There is no such path: it has an empty segment.");

  private final int status;
  private final String message;

  PathFault(int status, String message) {
    this.status = status;
    this.message = message;
  }

  int status() {
    return status;
  }

  String message() {
    return message;
  }
}
