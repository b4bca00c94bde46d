package dev.octroi.sandbox.contract;

/** What a contract makes of a request: a call that it knows, or a violation. */
public sealed interface Checked permits Call, Violation {}
