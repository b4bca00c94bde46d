/**
 * What is sold, described for those who are to call it: one operation for each row of the price
 * book, its input derived from the rules by which calls are checked. Whatever lists operations
 * (discovery, challenges, tools for agents) asks here, so that there is no second list.
 */
@NullMarked
package dev.octroi.api.catalogue;

import org.jspecify.annotations.NullMarked;
