package dev.octroi.sandbox.formula;

import org.jspecify.annotations.Nullable;

/**
 * What an expression is evaluated in: the call, the item and the time that it speaks of, and the
 * values of its local names. Not thread-safe; made for each call.
 */
public final class Scope {

  private static final @Nullable Object[] NO_LOCALS = {};

  private final Formulas formulas;
  private final TimedCall call;
  private long time;
  private @Nullable Object item;
  private @Nullable Object[] locals = NO_LOCALS;

  Scope(Formulas formulas, TimedCall call) {
    this.formulas = formulas;
    this.call = call;
    this.time = call.now();
  }

  public Formulas formulas() {
    return formulas;
  }

  public TimedCall call() {
    return call;
  }

  /** The time that is spoken of, in Unix seconds: at first that of the call. */
  public long time() {
    return time;
  }

  /** The item that {@code .name} speaks of. */
  public @Nullable Object item() {
    return item;
  }

  @Nullable Object local(int slot) {
    return locals[slot];
  }

  @Nullable Object keep(int slot, @Nullable Object value) {
    locals[slot] = value;
    return value;
  }

  /** Evaluates an expression that speaks of another item. */
  public @Nullable Object of(@Nullable Object other, Formula formula) {
    Object before = item;
    item = other;
    try {
      return formula.value(this);
    } finally {
      item = before;
    }
  }

  /** Evaluates an expression that speaks of another time. */
  public @Nullable Object at(long other, Formula formula) {
    long before = time;
    time = other;
    try {
      return formula.value(this);
    } finally {
      time = before;
    }
  }

  /** Evaluates a body that has local names of its own. */
  @Nullable Object with(@Nullable Object[] values, Formula body) {
    @Nullable Object[] before = locals;
    locals = values;
    try {
      return body.value(this);
    } finally {
      locals = before;
    }
  }
}
