package dev.octroi.db;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A pooler between clients and a PostgreSQL that trusts them: a session of the server serves a
 * client for one transaction, and then the next client. It knows nothing of prepared statements.
 */
final class TransactionPooler implements AutoCloseable {

  private static final int ENCRYPTED = 80_877_103;
  private static final int STARTUP = 196_608;
  private static final int READY = 'Z';
  private static final int IDLE = 'I';

  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Deque<Session> idle = new ConcurrentLinkedDeque<>();
  private final Deque<Closeable> open = new ConcurrentLinkedDeque<>();
  private final int server;
  private final byte[] startup;

  /** What a server says when a session begins, which is told each client. */
  private final byte[] greeting;

  TransactionPooler(int server, String user, String database) throws IOException {
    this.server = server;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    byte[] names =
        ("user\0" + user + "\0database\0" + database + "\0\0").getBytes(StandardCharsets.UTF_8);
    out.writeInt(names.length + 8);
    out.writeInt(STARTUP);
    out.write(names);
    this.startup = bytes.toByteArray();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    idle.push(session(said));
    this.greeting = said.toByteArray();
    begin(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private record Session(DataInputStream in, DataOutputStream out) {

    /** Hands on what the server says until it is ready again; whether no transaction is open. */
    boolean answer(DataOutputStream to) throws IOException {
      Message message = Message.read(in);
      message.write(to);
      while (message.type != READY) {
        message = Message.read(in);
        message.write(to);
      }
      to.flush();
      return message.body[0] == IDLE;
    }
  }

  private record Message(int type, byte[] body) {

    static Message read(DataInputStream in) throws IOException {
      int type = in.readUnsignedByte();
      return new Message(type, in.readNBytes(in.readInt() - 4));
    }

    void write(DataOutputStream out) throws IOException {
      out.writeByte(type);
      out.writeInt(body.length + 4);
      out.write(body);
    }
  }

  private Session session(ByteArrayOutputStream said) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server);
    open.push(socket);
    Session session =
        new Session(
            new DataInputStream(socket.getInputStream()),
            new DataOutputStream(socket.getOutputStream()));
    session.out.write(startup);
    session.answer(new DataOutputStream(said));
    return session;
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      open.push(client);
      begin(() -> serve(client));
    }
  }

  private void serve(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    DataOutputStream out = new DataOutputStream(client.getOutputStream());
    for (byte[] first = in.readNBytes(in.readInt() - 4);
        first[3] == (byte) ENCRYPTED;
        first = in.readNBytes(in.readInt() - 4)) {
      out.writeByte('N');
    }
    out.write(greeting);
    Session held = null;
    while (true) {
      Message message = Message.read(in);
      if (message.type == 'X') {
        client.close();
        return;
      }
      if (held == null) {
        held = idle.isEmpty() ? session(new ByteArrayOutputStream()) : idle.pop();
      }
      message.write(held.out);
      if ((message.type == 'Q' || message.type == 'S') && held.answer(out)) {
        idle.push(held);
        held = null;
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  /** Until a connection ends, which ends the work. */
  private static void begin(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException ended) {
                // The test has closed it.
              }
            },
            "pooler");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Closeable one : open) {
      one.close();
    }
  }
}
