# SPDX-License-Identifier: GPL-2.0
# A Chromium that tests drive by its debugging protocol, over a pair of pipes
# (https://chromedevtools.github.io/devtools-protocol).
import base64
import json
import os
import select
import subprocess
import sys
import time


class Browser:
    """Chromium without a window; console: all messages of all pages' consoles"""

    def __init__(self, profile):
        to_browser, self.to = os.pipe()
        self.messages, from_browser = os.pipe()
        # It reads requests from file descriptor 3, and writes answers to 4.
        high = [os.dup(to_browser), os.dup(from_browser)]

        def descriptors():
            os.dup2(high[0], 103)
            os.dup2(high[1], 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={profile}", "--window-size=1280,1000", "about:blank"],
            close_fds=False, preexec_fn=descriptors, stderr=subprocess.DEVNULL)
        for fd in (to_browser, from_browser, *high):
            os.close(fd)
        self.nr = 0
        self.text = b""
        self.console = []

    def message(self):
        while b"\0" not in self.text:
            if not select.select([self.messages], [], [], 60)[0]:
                sys.exit("the browser does not answer")
            part = os.read(self.messages, 1 << 20)
            if not part:
                sys.exit("the browser has ended")
            self.text += part
        text, self.text = self.text.split(b"\0", 1)
        message = json.loads(text)
        if message.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.console.append(text.decode()[:400])
        return message

    def call(self, method, session=None, **parameters):
        self.nr += 1
        message = {"id": self.nr, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") != self.nr:
                continue
            if "error" in answer:
                sys.exit(f"{method}: {answer['error']}")
            return answer["result"]

    def open(self, address):
        """A page, in a window of its own"""
        return Page(self, address)

    def end(self):
        self.call("Browser.close")
        self.process.wait(60)


class Page:
    """A page of the browser"""

    def __init__(self, browser, address):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page"):
            browser.call(f"{domain}.enable", self.session)
        browser.call("Page.navigate", self.session, url=address)

    def value(self, expression):
        """The value of an expression of JavaScript in the page"""
        answer = self.browser.call("Runtime.evaluate", self.session, expression=expression,
                                   returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            return str(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait_for(self, expression, what):
        for _ in range(600):
            if self.value(expression) is True:
                return
            time.sleep(0.1)
        sys.exit(f"not seen: {what}")

    def picture(self, path):
        """A picture of the window, in PNG"""
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.browser.call("Page.captureScreenshot", self.session)["data"]))
