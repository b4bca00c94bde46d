package dev.octroi.testchain;

/** The node's own error answer to a call. */
public final class NodeRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NodeRefused(String method, String error) {
    super(method + ": " + error);
  }
}
