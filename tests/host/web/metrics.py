# SPDX-License-Identifier: GPL-2.0
# What pmctrack-openmetrics-http answers; tests/host/web.sh calls it with a folder that has the program.
import http.client
import os
import signal
import socket
import subprocess
import sys
import time

folder = sys.argv[1]
program = os.path.join(folder, "pmctrack-openmetrics-http")
failed = 0
FIRST = "# TYPE a counter\na_total 1\n# EOF\n"
SECOND = "# TYPE a counter\na_total 2\na_total{x=\"# EOF\"} 3\n# EOF\n"


def same(got, expected, what):
    global failed
    if got != expected:
        print(f"{what}: {got!r}, expected {expected!r}")
        failed = 1


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a unix socket"""

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """The program; connect: makes a connection to it"""

    def __init__(self, *words, connect, ignored=()):
        self.process = subprocess.Popen(
            [program, *words], stdin=subprocess.PIPE, text=True,
            preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN) for number in ignored])
        self.connect = connect
        for _ in range(600):
            try:
                self.request("GET", "/")
                return
            except OSError:
                time.sleep(0.1)
        sys.exit("no answer")

    def request(self, method="GET", path="/metrics", host=None):
        connection = self.connect()
        connection.request(method, path, headers={"Host": host} if host else {})
        answer = connection.getresponse()
        return answer.status, answer.headers["Content-Type"], answer.read().decode()

    def write(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def wait_for(self, text):
        for _ in range(600):
            if self.request()[2] == text:
                return
            time.sleep(0.1)
        same(self.request()[2], text, "the latest text")

    def end(self):
        self.process.stdin.close()
        return self.process.wait(60)


def check(server, others=403):
    kind = "application/openmetrics-text; version=1.0.0; charset=utf-8"
    same(server.request()[0], 503, "before the first text")
    server.write(FIRST)
    server.wait_for(FIRST)
    same(server.request(), (200, kind, FIRST), "the first text")
    same(server.request("HEAD"), (200, kind, ""), "HEAD")
    same(server.request("POST")[0], 405, "POST")
    same(server.request(path="/")[0], 404, "another path")
    same(server.request(path="/metrics/")[0], 404, "a path below")
    for host in ("localhost", f"LocalHost:{port}", "127.0.0.1", "127.0.0.2:1", "[::1]:80"):
        same(server.request(host=host)[0], 200, f"asked for {host}")
    # A name of a web page's owner, which may lead here
    for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example",
                 "255.255.255.255.evil.example"):
        same(server.request(host=host)[0], others, f"asked for {host}")
    server.write(SECOND[:30])
    time.sleep(0.2)
    same(server.request()[2], FIRST, "half of a text")
    server.write(SECOND[30:])
    server.wait_for(SECOND)
    # Clients that ask for nothing hold nobody.
    idle = [server.connect() for _ in range(20)]
    for connection in idle:
        connection.connect()
    same(server.request()[2], SECOND, "beside idle clients")


def sleepers(server, nr):
    """Clients that ask for a text which no socket has room for, and never read it"""
    clients = []
    for _ in range(nr):
        connection = server.connect()
        connection.connect()
        connection.sock.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        same(connection.sock.recv(12), b"HTTP/1.1 200", "an answer's head")
        clients.append(connection)
    return clients


def check_sleepers(start):
    """They hold neither others nor the end of the program, be it a signal or the end of its input."""
    long = "# TYPE a counter\n" + "".join(f"a_total{{x=\"{i}\"}} 1\n" for i in range(1 << 20)) + "# EOF\n"
    for end in (lambda server: server.end(), lambda server: server.process.send_signal(signal.SIGTERM)):
        server = start()
        server.write(long)
        server.wait_for(long)
        clients = sleepers(server, 20)
        same(server.request()[2], long, "beside clients that read nothing")
        server.write(FIRST)
        server.wait_for(FIRST)
        end(server)
        same(server.process.wait(60) in (0, 128 + signal.SIGTERM), True, "the end beside clients that read nothing")
        for client in clients:
            client.close()


def refused(message, *words, stdin=subprocess.DEVNULL):
    result = subprocess.run([program, *words], stdin=stdin, stderr=subprocess.PIPE, text=True, timeout=60)
    same((result.returncode, message in result.stderr), (2, True), f"{words}: {result.stderr}")


port = free_port()
server = Server(f"--port={port}", connect=lambda: http.client.HTTPConnection("127.0.0.1", port, timeout=60))
check(server)
with socket.socket() as other:
    same(other.connect_ex(("127.0.0.2", port)) != 0, True, "no other address")
refused(f"cannot listen on 127.0.0.1, port {port}: Address already in use", f"--port={port}")
same(server.end(), 0, "the end")

server = Server(f"--port={port}", "--address=127.0.0.2",
                connect=lambda: http.client.HTTPConnection("127.0.0.2", port, timeout=60))
check(server)
same(server.end(), 0, "the end")

# Other machines know this one by names of all kinds.
server = Server(f"--port={port}", "--address=0.0.0.0",
                connect=lambda: http.client.HTTPConnection("127.0.0.1", port, timeout=60))
check(server, others=200)
same(server.end(), 0, "the end")

path = os.path.join(folder, "socket")
server = Server(f"--socket={path}", connect=lambda: UnixConnection(path, timeout=60))
check(server, others=200)
refused("if nobody uses it any more, remove it", f"--socket={path}")
same(server.end(), 0, "the end")
same(os.path.exists(path), False, "the socket stays")
server = Server(f"--socket={path}", connect=lambda: UnixConnection(path, timeout=60))
server.process.send_signal(signal.SIGTERM)
same(server.process.wait(60), 128 + signal.SIGTERM, "a signal")
same(os.path.exists(path), False, "the socket stays after a signal")
# As soon as the socket is there
process = subprocess.Popen([program, f"--socket={path}"], stdin=subprocess.PIPE)
while not os.path.exists(path) and process.poll() is None:
    pass
process.send_signal(signal.SIGTERM)
same(process.wait(60), 128 + signal.SIGTERM, "an early signal")
same(os.path.exists(path), False, "the socket stays after an early signal")

check_sleepers(lambda: Server(f"--socket={path}", connect=lambda: UnixConnection(path, timeout=60)))
check_sleepers(lambda: Server(f"--port={port}", connect=lambda: http.client.HTTPConnection("127.0.0.1", port, timeout=60)))

# With nohup, as a script starts it with &
server = Server(f"--socket={path}", connect=lambda: UnixConnection(path, timeout=60),
                ignored=(signal.SIGHUP, signal.SIGINT))
server.process.send_signal(signal.SIGHUP)
time.sleep(0.2)
same(server.request()[0], 503, "after the end of a terminal")
server.process.send_signal(signal.SIGINT)
same(server.process.wait(60), 128 + signal.SIGINT, "an ignored SIGINT")

refused("--address takes an IPv4 address", "--address=localhost")
refused("--port takes a number", "--port=0")
refused("the text comes from standard input", "file")
with open("/proc/self/mem", "rb") as unreadable:
    refused("cannot read standard input: Input/output error", f"--socket={path}", stdin=unreadable)
same(os.path.exists(path), False, "the socket stays after an error")
refused("the path is too long", "--socket=/tmp/" + "x" * 200)
sys.exit(failed)
