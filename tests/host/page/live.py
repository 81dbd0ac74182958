# SPDX-License-Identifier: GPL-2.0
# The page of pmctrack web in Chromium: viewers come while a program runs, it is stopped and run again,
# and the server ends. tests/host/page.sh calls it with a folder that has pmctrack-web and the program
# that stands in for pmctrack, and maybe one for pictures.
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from browser import Browser

folder = sys.argv[1]
failed = 0


def same(got, expected, what):
    global failed
    if got != expected:
        print(f"{what}: {got!r}, expected {expected!r}")
        failed = 1


STATE = "byId('state').textContent"
ENDED = f"{STATE} === 'the run has ended'"
TITLES = "[...document.querySelectorAll('#charts h2')].map(h => h.textContent).join('; ')"


def saved():
    """The report that a page has saved"""
    path = os.path.join(folder, "run.json")
    for _ in range(600):
        if os.path.exists(path):
            break
        time.sleep(0.1)
    else:
        sys.exit("no run was saved")
    with open(path) as f:
        return json.load(f)


def drive(browser, web, control, view):
    owner, viewer = browser.open(control), browser.open(view)
    for page in (owner, viewer):
        page.wait_for("typeof run === 'object' && run && run.nrSamples > 60 && charts.size === 3", "charts while the program runs")
        same(page.value(STATE), "the program runs", "the state")
        same(page.value("byId('save').hidden"), True, "the link that saves a run, while the program runs")
    same(owner.value("byId('stop').hidden"), False, "the button that stops the program")
    same(viewer.value("byId('stop').hidden"), True, "that button, for a viewer")
    same(owner.value(TITLES), "instructions per cycle; instr per second; cycles per second", "charts")
    owner.wait_for("byId('about').textContent.includes('lost or left out: 1')", "a loss")
    if len(sys.argv) > 2:
        owner.picture(os.path.join(sys.argv[2], "light.png"))
        owner.value("setTheme(true)")
        owner.picture(os.path.join(sys.argv[2], "dark.png"))

    # A view that follows, one that does not, and one that follows again
    owner.value("keys['+']()")
    owner.value("window.before = { ...view }")
    owner.wait_for("view.from > before.from && view.to === run.length", "the view follows")
    owner.value("keys.ArrowLeft()")
    owner.value("window.before = { ...view, length: run.length }")
    owner.wait_for("run.length > before.length + 1", "more samples")
    same(owner.value("view.from === before.from && view.to === before.to"), True, "the view stays")
    same(owner.value("(keys.l(), view.to === run.length)"), True, "the latest")

    owner.value("byId('define').value = 'cpi=cycles/instr'; define()")
    owner.value("byId('stop').click()")
    for page in (owner, viewer):
        page.wait_for(ENDED, "the end of the run")
        same(page.value("document.querySelector('#totals td:nth-child(2)').textContent"), "123,456,789", "a total")
    late = browser.open(view)
    late.wait_for(f"{ENDED} && charts.size === 3", "a viewer who comes late")
    same(late.value("run.nrSamples"), owner.value("run.nrSamples"), "samples of a viewer who comes late")

    samples = owner.value("run.nrSamples")
    same(viewer.value("byId('save').hidden"), False, "the link that saves a run")
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
    viewer.value("byId('save').click()")
    report = saved()
    same((len(report["samples"]), report["totals"][0]["counts"]["instr"]), (samples, 123456789), "the run that was saved")
    owner.value("byId('start').click()")
    for page in (owner, viewer, late):
        page.wait_for(f"{STATE} === 'the program runs' && run.nrSamples > 0 && run.nrSamples < {samples} && charts.size > 0", "the next run")
    same(owner.value(TITLES).startswith("cpi; "), True, "the reader's metric is still there")
    web.send_signal(signal.SIGINT)
    for page in (owner, viewer, late):
        page.wait_for(f"{STATE} === 'pmctrack web has ended'", "the end of pmctrack web")
        same(page.value("byId('save').hidden"), True, "the link that saves a run, without a server")
    same(browser.console, [], "the console")

    # An answer that is no report is not taken for one, again and again.
    owner.value("void (window.fetch = async () => new Response('no', { status: 503 }))")
    owner.value("void followRuns()")
    owner.wait_for(f"{STATE} === 'the connection to pmctrack web is lost (answer 503): load the page again'", "an error")


with tempfile.TemporaryDirectory() as profile:
    chromium = Browser(profile)
    server = subprocess.Popen([os.path.join(folder, "pmctrack-web"), "-T", "1", "./app"], stderr=subprocess.PIPE,
                              text=True, env={**os.environ, "SAMPLES": "100000"})
    addresses = [server.stderr.readline().split()[-1] for _ in range(2)]
    try:
        drive(chromium, server, *addresses)
    finally:
        server.kill()
        chromium.end()
sys.exit(failed)
