/** The language models that are sold: what each is called, can do, costs, and where it runs. */
@NullMarked
package dev.octroi.services.language.catalogue;

import org.jspecify.annotations.NullMarked;
