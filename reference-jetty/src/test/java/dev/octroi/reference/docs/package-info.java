/** Tests of the documentation: that it says nothing that is not so, as far as a test can tell. */
@NullMarked
package dev.octroi.reference.docs;

import org.jspecify.annotations.NullMarked;
