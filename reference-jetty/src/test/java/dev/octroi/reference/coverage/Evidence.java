package dev.octroi.reference.coverage;

/**
 * What shows a cell.
 *
 * @param tag the cell, or the record, that it names
 * @param title what the page calls it
 * @param file where it stands, below the project's folder
 */
record Evidence(String tag, String title, String file) {

  /** The link on the page, which lies two folders below the project's. */
  String link() {
    return "[" + title + "](../../" + file + ")";
  }
}
