package dev.octroi.reference.process;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.MethodExitRequest;
import java.io.IOException;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Stops a process of the unmodified jar at a method, from outside. */
final class Debugger {

  static final String OPTION =
      "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

  private final VirtualMachine machine;

  private Debugger(VirtualMachine machine) {
    this.machine = machine;
  }

  static Debugger attach(String port) throws IOException {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue(port);
    try {
      return new Debugger(connector.attach(arguments));
    } catch (IllegalConnectorArgumentsException e) {
      throw new IOException(e);
    }
  }

  /**
   * From now on the first thread that reaches the point stops, and every other thread with it.
   * Where methods are left can only be watched by interpreting them: only the thread that has
   * entered such a method is, so that the rest of the gateway keeps its pace and its deadlines.
   */
  void stopAt(KillPoint point) {
    ClassPrepareRequest loading = machine.eventRequestManager().createClassPrepareRequest();
    loading.addClassFilter(point.type());
    loading.enable();
    machine.classesByName(point.type()).forEach(type -> breakAt(point, type));
  }

  private void breakAt(KillPoint point, ReferenceType type) {
    for (Method method : type.methodsByName(point.method())) {
      if (method.location() != null) {
        machine.eventRequestManager().createBreakpointRequest(method.location()).enable();
      }
    }
  }

  /**
   * Waits until the point is reached; true if it was, and everything stands still.
   *
   * @param payer whose claim it must be, where the point belongs to one: a restarted gateway still
   *     closes what others have left
   * @param meant asked there, with everything standing still; what is not meant goes on
   */
  boolean isReached(KillPoint point, String payer, BooleanSupplier meant)
      throws InterruptedException, IncompatibleThreadStateException {
    long end = System.nanoTime() + Running.TIMEOUT.toNanos();
    while (System.nanoTime() < end) {
      EventSet events = machine.eventQueue().remove(1000);
      if (events == null) {
        continue;
      }
      for (Event event : events) {
        if (event instanceof ClassPrepareEvent loaded) {
          breakAt(point, loaded.referenceType());
        } else if (event instanceof BreakpointEvent entered && point.whenLeft()) {
          watchTheEnd(point, entered.thread());
        } else if (isAt(event, point)
            && isOf(payer, (LocatableEvent) event)
            && meant.getAsBoolean()) {
          return true;
        }
      }
      events.resume();
    }
    return false;
  }

  private void watchTheEnd(KillPoint point, ThreadReference thread) {
    MethodExitRequest exit = machine.eventRequestManager().createMethodExitRequest();
    exit.addClassFilter(point.type());
    exit.addThreadFilter(thread);
    exit.enable();
  }

  private static boolean isOf(String payer, LocatableEvent event)
      throws IncompatibleThreadStateException {
    ObjectReference self = event.thread().frame(0).thisObject();
    Field claim = self == null ? null : self.referenceType().fieldByName("claim");
    if (claim == null) {
      return true;
    }
    Value key = in(self.getValue(claim), "key");
    return in(key, "payer") instanceof StringReference whose
        && whose.value().equalsIgnoreCase(payer);
  }

  private static Value in(Value record, String component) {
    ObjectReference object = (ObjectReference) record;
    return object.getValue(object.referenceType().fieldByName(component));
  }

  private static boolean isAt(Event event, KillPoint point) {
    if (event instanceof BreakpointEvent) {
      return true;
    }
    return event instanceof MethodExitEvent exit && exit.method().name().equals(point.method());
  }
}
