# SPDX-License-Identifier: GPL-2.0
# What viewers get from pmctrack-web, over HTTP; tests/host/web.sh calls it with a folder that has
# pmctrack-web and the program that stands in for pmctrack.
import atexit
import fcntl
import glob
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time

folder = sys.argv[1]
failed = 0
# Where pmctrack-web has its pipes: others' are not seen.
temporary = os.path.join(folder, "temporary")
os.mkdir(temporary)
os.environ["TMPDIR"] = temporary


def same(got, expected, what):
    global failed
    if got != expected:
        print(f"{what}: {got!r:.500}, expected {expected!r:.500}")
        failed = 1


class Web:
    """pmctrack-web, and its two addresses"""

    def __init__(self, *words, ignored=(), terminal=None, **environment):
        def prepare():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
            if terminal is not None:
                os.setsid()
                fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

        self.copy = os.path.join(folder, "copy.json")
        self.process = subprocess.Popen(
            [os.path.join(folder, "pmctrack-web"), *words], stdin=terminal, stderr=subprocess.PIPE, text=True,
            preexec_fn=prepare, env={**os.environ, "COPY": self.copy, "PMCTRACK_DYGRAPHS": folder, **environment})
        atexit.register(self.process.kill)
        self.control = self.address()
        self.view = self.address()

    def address(self):
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)(/\S+)", line)
        if not found:
            sys.exit(f"no address in '{line}'")
        self.port = int(found[1])
        return found[2]

    def request(self, method, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path)
        return connection.getresponse()

    def report(self, number=0, path=None):
        response = self.request("GET", f"{path or self.view}run/{number}")
        return response.read().decode(), int(response.headers["Run"])

    def wait_for_report(self, number):
        same(self.request("GET", f"{self.view}run/{number}").read(1), b"{", "the report begins")

    def wait_for(self, text):
        for line in self.process.stderr:
            if text in line:
                return
        sys.exit(f"'{text}' was not printed")

    def end(self, signal_number=signal.SIGINT):
        self.process.send_signal(signal_number)
        rest = self.process.stderr.read()
        return self.process.wait(60), rest

    def connections(self):
        """Connections of the server that are not yet closed"""
        with open("/proc/net/tcp") as f:
            lines = [line.split() for line in f]
        return sum(line[1] == f"0100007F:{self.port:04X}" and line[3] == "08" for line in lines[1:])

    def expected(self):
        with open(self.copy) as f:
            return f.read()


def check_pages():
    web = Web("-T", "1", "./app")
    page = web.request("GET", web.view)
    same(page.status, 200, "the page")
    same(page.headers["Content-Type"], "text/html; charset=utf-8", "its type")
    same(page.headers["Referrer-Policy"], "no-referrer", "its address stays here")
    same("<script type=\"application/json\" id=\"run\">\n</script>" in page.read().decode(), True, "no report in it")
    same(web.request("GET", web.control).status, 200, "the page for control")
    for path in ("/", "/view/", "/view/" + "0" * 32 + "/", "/control/" + web.view[6:], web.view[:-2] + "/", "/run/0"):
        same(web.request("GET", path).status, 404, f"GET {path}")
    for path in ("nothing", "run", "runs/0", "../"):
        same(web.request("GET", web.control + path).status, 404, f"GET {path}")
    same(web.request("POST", web.view + "stop").status, 403, "POST stop by a viewer")
    same(web.request("POST", "/stop").status, 404, "POST stop by nobody")
    same(web.request("PUT", web.control + "stop").status, 404, "PUT stop")
    same(web.request("GET", web.control + "stop").status, 404, "GET stop")
    same(len({web.view[6:], web.control[9:]}), 2, "two words")
    # No other address of this machine
    other = socket.socket()
    try:
        other.connect(("127.0.0.2", web.port))
        same(True, False, "127.0.0.2 answers")
    except ConnectionRefusedError:
        pass
    early, number = web.report()
    same((early, number), (web.expected(), 1), "a viewer from the begin")
    same(json.loads(early)["threads"], 3, "it is JSON")
    same(web.report(), (early, 1), "a viewer who comes late")
    same(web.end(), (7, "pmctrack web: the run has ended; Ctrl-C ends the page\n"), "the end")


def check_early():
    """Who asks at once, maybe before the first run has begun, gets that one."""
    for _ in range(10):
        web = Web("-T", "1", "./app", SAMPLES="1")
        same(web.report()[1], 1, "the number of the first run")
        web.end()


def check_control():
    web = Web("-T", "1", "./app", SAMPLES="100000")
    web.wait_for_report(1)
    same(web.request("POST", web.control + "start").status, 204, "start while it runs does nothing")
    waits = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
    waits.request("GET", f"{web.view}run/2")
    same(web.request("POST", web.control + "stop").status, 204, "stop")
    text, number = web.report()
    same((text, number), (web.expected(), 1), "a run that was stopped")
    web.wait_for("the run has ended")
    same(web.request("POST", web.control + "stop").status, 204, "stop when it has ended does nothing")
    same(web.request("POST", web.control + "start").status, 204, "start")
    web.wait_for("started again")
    web.wait_for_report(2)
    response = waits.getresponse()
    same(response.headers["Run"], "2", "the number of the next run")
    same(web.request("POST", web.control + "stop").status, 204, "stop")
    same(response.read().decode(), web.expected(), "a viewer who waited for the next run")
    web.wait_for("the run has ended")
    # The page ends while somebody waits, and another reads nothing.
    sleeper = socket.create_connection(("127.0.0.1", web.port))
    sleeper.sendall(f"GET {web.view}run/0 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    waits.request("GET", f"{web.view}run/3")
    # Its head is sent at once.
    response = waits.getresponse()
    same(web.end(signal.SIGTERM)[0], 7, "the end")
    same(response.read(), b"\nserver ended\n", "a viewer at the end")


def check_slow_viewers():
    """Viewers who never read hold nobody; a late one has the end of a long run."""
    web = Web("--keep=1", "-T", "1", "./app", SAMPLES="400", PADDING="x" * 5000, FAST="1")
    sleepers = [socket.create_connection(("127.0.0.1", web.port)) for _ in range(20)]
    for sleeper in sleepers:
        sleeper.sendall(f"GET {web.view}run/0 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    text, _ = web.report()
    whole = json.loads(web.expected())
    web.wait_for("the run has ended")
    text, _ = web.report()
    same(len(text) < 1.1e6, True, f"{len(text)} bytes are kept")
    head, samples = text.split("\"samples\": [\n")
    same(json.loads(head + "\"samples\": []}")["command"], ["./app"], "the head is kept")
    kept = json.loads("{\"samples\": [" + samples)
    same(kept["samples"], whole["samples"][-len(kept["samples"]):], "the last samples are kept")
    same(len(kept["samples"]) > 50, True, f"{len(kept['samples'])} samples")
    same(kept["totals"], whole["totals"], "the totals")
    web.end()


def check_gone_viewers():
    """Viewers who go while they wait for the next run make room for others."""
    web = Web("-T", "1", "./app", SAMPLES="1")
    web.wait_for("the run has ended")
    for _ in range(2):
        waiting = []
        for _ in range(60):
            waiting.append(socket.create_connection(("127.0.0.1", web.port), timeout=20))
            waiting[-1].sendall(f"GET {web.view}run/2 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            same(waiting[-1].recv(12), b"HTTP/1.1 200", "an answer's head")
        for viewer in waiting:
            viewer.close()
        # The server looks for them when nothing has happened for two seconds.
        for _ in range(50):
            time.sleep(0.2)
            if not web.connections():
                break
        same(web.connections(), 0, "connections that are left")
    same(web.request("GET", web.view).status, 200, "the page")
    web.end()


def check_end():
    web = Web("-T", "1", "./app", SAMPLES="100000")
    web.wait_for_report(1)
    same(web.end(signal.SIGTERM)[0], 7, "SIGTERM ends the program")
    same(json.loads(web.expected())["threads"], 3, "its report is whole")


def check_stop_at_the_end():
    """A program that takes its time to end may still be stopped from the page."""
    web = Web("-T", "1", "./app", SAMPLES="100000", SLOW="1")
    web.wait_for_report(1)
    web.process.send_signal(signal.SIGTERM)
    web.wait_for("SIGTERM has come")
    same(web.request("POST", web.control + "stop").status, 204, "stop")
    try:
        same(web.process.wait(30), 7, "stop while the page ends")
    except subprocess.TimeoutExpired:
        same(True, False, "a request to stop is lost while the page ends")
        web.end()


def check_killed():
    """The program ends with a server that is killed."""
    web = Web("-T", "1", "./app", SAMPLES="100000")
    web.wait_for_report(1)
    with open(f"/proc/{web.process.pid}/task/{web.process.pid}/children") as f:
        child = int(f.read().split()[0])
    web.process.kill()
    web.process.wait()
    for _ in range(600):
        try:
            if open(f"/proc/{child}/stat").read().split()[2] == "Z":
                break
        except (FileNotFoundError, ProcessLookupError):
            break
        time.sleep(0.1)
    else:
        same(True, False, "the program runs on")
    for path in glob.glob(f"{temporary}/pmctrack-web.*"):
        os.unlink(f"{path}/report")
        os.rmdir(path)


def check_terminal():
    """Behind ssh, pmctrack-web is the first program of a terminal. The kernel sends SIGHUP to it alone."""
    connection, terminal = os.openpty()
    web = Web("-T", "1", "./app", terminal=terminal, SAMPLES="100000")
    web.wait_for_report(1)
    os.close(connection)
    try:
        same(web.process.wait(60), 7, "the end of the terminal ends the program")
    except subprocess.TimeoutExpired:
        same(True, False, "the program runs on without its terminal")
        web.end(signal.SIGTERM)
    os.close(terminal)


def check_nohup():
    """The end of a terminal ends neither the page nor the program."""
    web = Web("-T", "1", "./app", SAMPLES="1", ignored=(signal.SIGHUP, signal.SIGINT))
    web.wait_for("the run has ended")
    web.process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    same(web.request("GET", web.view).status, 200, "the page after SIGHUP")
    same(web.end(), (7, ""), "the end")


def check_signals():
    """
    No signal is blocked or ignored for the program, except for those of nohup. A script ignores SIGINT for what it
    starts with &; the program gets it, to be stopped by it.
    """
    with tempfile.TemporaryDirectory() as other:
        shutil.copy(os.path.join(folder, "pmctrack-web"), other)
        with open(os.path.join(other, "pmctrack"), "w") as f:
            f.write("#!/bin/sh\ngrep -E '^Sig(Blk|Ign)' /proc/self/status\nexit 2\n")
        os.chmod(os.path.join(other, "pmctrack"), 0o755)
        for number, left in ((signal.SIGINT, 0), (signal.SIGCHLD, 0), (signal.SIGHUP, 1)):
            result = subprocess.run([os.path.join(other, "pmctrack-web"), "./app"], capture_output=True, text=True,
                                    preexec_fn=lambda: signal.signal(number, signal.SIG_IGN),
                                    env={**os.environ, "PMCTRACK_DYGRAPHS": folder}, timeout=60)
            # Whoever runs the tests may ignore signals of the C library's, 32 and 33.
            same([int(mask, 16) & 0x7fffffff for mask in result.stdout.split()[1::2]], [0, left], result.stdout)


def refused(status, message, *words):
    result = subprocess.run([os.path.join(folder, "pmctrack-web"), *words], stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "PMCTRACK_DYGRAPHS": folder}, timeout=60)
    same((result.returncode, message in result.stderr), (status, True), f"{words}: {result.stderr}")


def check_own_options():
    refused(2, "not in JSON: -o and --format", "--format=csv", "./app")
    web = Web("-o", "elsewhere", "./app")
    web.wait_for("no report: -o and --format")
    same(web.end()[0], 0, "the end")


def check_refused():
    refused(2, "what to run?")
    refused(2, "--port takes a number from 1 to 65535, not 'x'", "--port=x", "./app")
    refused(2, "--keep takes a number", "--keep=0", "./app")
    refused(2, "pmctrack: --refused: no", "--refused", "./app")
    busy = socket.socket()
    busy.bind(("127.0.0.1", 0))
    busy.listen()
    port = busy.getsockname()[1]
    refused(2, f"cannot listen on port {port}: Address already in use", f"--port={port}", "./app")
    os.environ["PMCTRACK_DYGRAPHS"] = "/nothing"
    result = subprocess.run([os.path.join(folder, "pmctrack-web"), "./app"], stderr=subprocess.PIPE, text=True, timeout=60)
    same((result.returncode, "libjs-dygraphs" in result.stderr), (2, True), "without dygraphs")


for check in (check_pages, check_early, check_control, check_slow_viewers, check_gone_viewers, check_end, check_stop_at_the_end, check_killed, check_terminal, check_nohup, check_signals, check_own_options, check_refused):
    check()
same(os.listdir(temporary), [], "folders that are left")
os.rmdir(temporary)
sys.exit(failed)
