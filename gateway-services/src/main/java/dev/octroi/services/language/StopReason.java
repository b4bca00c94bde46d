package dev.octroi.services.language;

/** Why a model stopped. */
public enum StopReason {
  END_TURN,
  MAX_TOKENS,
  STOP_SEQUENCE,
  TOOL_USE,
  /** Declined by the model or by the upstream's filter. */
  REFUSAL,
  /** The upstream paused a long turn; the caller may continue it. */
  PAUSE,
  CONTEXT_EXCEEDED
}
