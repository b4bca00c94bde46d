/**
 * Images: the models that are sold, what may be asked of them, and the connector that asks. Exists
 * apart from jobs and payments, which serve what is made here.
 */
@NullMarked
package dev.octroi.services.images;

import org.jspecify.annotations.NullMarked;
