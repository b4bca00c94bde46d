/**
 * What a group of endpoints is to the gateway, and what the gateway is to a group: {@link
 * dev.octroi.api.group.Group}, what it becomes under the settings, what it is opened with, and what
 * it opens. Groups get what they need from here; everything that differs by group asks here.
 */
@NullMarked
package dev.octroi.api.group;

import org.jspecify.annotations.NullMarked;
