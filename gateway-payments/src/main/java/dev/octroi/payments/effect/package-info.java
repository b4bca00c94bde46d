/**
 * Effects that cannot be undone, such as a number bought or a call started: done once, after they
 * were paid for, and never forgotten (money rule 6).
 */
@NullMarked
package dev.octroi.payments.effect;

import org.jspecify.annotations.NullMarked;
