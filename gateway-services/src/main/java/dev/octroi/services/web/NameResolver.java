package dev.octroi.services.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a host; the system's resolver but for tests. */
@FunctionalInterface
interface NameResolver {

  List<InetAddress> resolve(String host) throws UnknownHostException;
}
