#!/usr/bin/env bash
# Most expect: OkHttp repeats a POST at most where nothing of it was sent.
# True: it sends it again where a kept connection ends after the whole POST, after a 408, and after a 503 with `Retry-After: 0`.
#   The program sees the second answer alone.
# Package: com.squareup.okhttp3:okhttp-jvm 5.5.1 (Maven)
# Why here: it is under Retrofit, Android's wallets and most generated clients in Java and Kotlin. A broadcast that was sent
#   "once" may get `already-known`. `retryOnConnectionFailure(false)` turns the first two off, the third nothing.
set -euo pipefail
expected="${EXPECTED:-connection ends: 2, 408: 2, 503 with Retry-After 0: 2; turned off: 1, 1, 2}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pom.xml <<'XML'
<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies>
<dependency><groupId>com.squareup.okhttp3</groupId><artifactId>okhttp-jvm</artifactId><version>5.5.1</version></dependency>
</dependencies></project>
XML
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=packages > mvn.txt 2>&1 || { cat mvn.txt >&2; exit 1; }
cat > Run.java <<'JAVA'
import java.io.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.*;

public class Run {
  static final AtomicInteger posts = new AtomicInteger();

  /** A service that answers each POST so; without an answer it ends the connection, if a request came before. */
  static int serve(String answer) throws IOException {
    var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var accepting = new Thread(() -> {
      while (true) try {
        var connection = listener.accept();
        new Thread(() -> talk(connection, answer)).start();
      } catch (IOException error) { return; }
    });
    accepting.setDaemon(true);
    accepting.start();
    return listener.getLocalPort();
  }

  static void talk(Socket connection, String answer) {
    try (connection) {
      var in = new BufferedReader(new InputStreamReader(connection.getInputStream()));
      for (int request = 1; ; request++) {
        String first = in.readLine();
        if (first == null) return;
        boolean isPost = first.startsWith("POST");
        for (String line = first; !line.isEmpty(); line = in.readLine()) { }
        if (isPost) { in.read(); in.read(); posts.incrementAndGet(); }
        if (isPost && answer == null && request > 1) return;
        String status = isPost && answer != null ? answer : "200 OK\r\n";
        connection.getOutputStream().write(("HTTP/1.1 " + status + "Content-Length: 0\r\n\r\n").getBytes());
      }
    } catch (IOException error) { }
  }

  static int postsFor(String answer, boolean isRepeated) throws IOException {
    String url = "http://127.0.0.1:" + serve(answer) + "/";
    var client = new OkHttpClient.Builder().retryOnConnectionFailure(isRepeated).build();
    posts.set(0);
    client.newCall(new Request.Builder().url(url).build()).execute().close();
    try {
      client.newCall(new Request.Builder().url(url).post(RequestBody.create("{}", null)).build()).execute().close();
    } catch (IOException error) { }
    return posts.get();
  }

  public static void main(String[] args) throws IOException {
    String timeout = "408 X\r\n", busy = "503 X\r\nRetry-After: 0\r\n";
    System.out.printf("connection ends: %d, 408: %d, 503 with Retry-After 0: %d; turned off: %d, %d, %d%n",
      postsFor(null, true), postsFor(timeout, true), postsFor(busy, true),
      postsFor(null, false), postsFor(timeout, false), postsFor(busy, false));
    System.exit(0);
  }
}
JAVA
seen="$(java -cp 'packages/*' Run.java)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
