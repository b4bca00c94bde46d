/** What those who buy read: the description for machines, and the page before it for people. */
@NullMarked
package dev.octroi.api.docs;

import org.jspecify.annotations.NullMarked;
