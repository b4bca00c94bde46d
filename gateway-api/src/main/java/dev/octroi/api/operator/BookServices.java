package dev.octroi.api.operator;

import dev.octroi.payments.books.BookExport;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.ledger.Refunds;

/** What bookkeeping works with. */
public record BookServices(BookVerification verification, BookExport export, Refunds refunds) {}
