// SPDX-License-Identifier: GPL-2.0
// Behind the scripts of a page: use it as a person would, and write what was wrong to the page's
// end, for tests/host/page.sh. The run has 5 threads on core types P and E, and 120 s.
"use strict";

const wrong = [];

function same(got, expected, what) {
	if (got !== expected)
		wrong.push(`${what}: ${got}, expected ${expected}`);
}

function press(key, target = document.body) {
	target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}

const titles = () => [...document.querySelectorAll("#charts h2")].map(h => h.textContent).join("; ");
const boxes = list => [...document.querySelectorAll(`#${list} label`)];
const box = (list, name) => boxes(list).find(label => label.textContent.includes(name)).querySelector("input");
const time = () => byId("time").textContent;
const legend = title => [...document.querySelectorAll("#charts section")]
	.find(s => s.querySelector("h2").textContent === title).querySelector(".legend").textContent;

function addMetric(text) {
	byId("define").value = text;
	press("Enter", byId("define"));
}

function drive() {
	same(titles(), "instructions per cycle; ~sf; instr per second", "charts at the beginning");
	same(boxes("lanes").length, 5, "threads in the list");
	same(boxes("lanes")[0].textContent.includes("<main> & \"co\" 1000"), true, "a name with signs of HTML");
	same(document.querySelector("#totals td:nth-child(2)").textContent, "123,456,789", "a total");
	same(byId("about").textContent.includes("3 samples lost"), true, "losses are shown");
	same(time().startsWith("0.0000 s to 120.0"), true, "all of the time");

	// Zoom and move
	press("+");
	same(time().startsWith("30.0"), true, `zoom in: ${time()}`);
	press("ArrowRight");
	same(time().startsWith("42.0"), true, `to the right: ${time()}`);
	press("0");
	same(time().startsWith("0.0000 s to 120.0"), true, `all again: ${time()}`);
	show(37, 37.5);
	same(legend("instr per second").startsWith("from "), true, "half a second has values");
	press("-");
	press("0");

	// Quantities
	box("quantities", "~sf").click();
	same(titles(), "instructions per cycle; instr per second", "without ~sf");
	box("quantities", "cycles per second").click();
	same(titles(), "instructions per cycle; instr per second; cycles per second", "with cycles");
	same(legend("cycles per second"), "from 1.20G to 1.20G", "cycles are constant");

	// Metrics
	addMetric("cpi=cycles/instr");
	same(titles().startsWith("cpi; "), true, "a new metric");
	same(byId("error").textContent, "", "no error");
	addMetric("two=(cycles + cycles) / cycles - 0*-1");
	same(legend("two"), "from 2 to 2", "arithmetic");
	addMetric("share=instr/ns");
	addMetric("bad=cycles/nothing");
	same(byId("error").textContent, "\"nothing\" was not counted; there are instr, cycles, llc_misses, ns", "an unknown event");
	addMetric("bad=cycles/");
	same(byId("error").textContent, "the formula ends where a value is expected", "half a formula");
	addMetric("bad=(cycles");
	same(byId("error").textContent, "a parenthesis is not closed", "half a parenthesis");
	addMetric("cycles");
	same(byId("error").textContent, "write NAME=FORMULA, as mpki=1000*llc_misses/instr", "no name");
	addMetric("bad=alert(1)");
	same(byId("error").textContent.includes("\"alert\" was not counted"), true, "no script");

	// Threads
	byId("filter").value = "worker-3";
	byId("filter").dispatchEvent(new Event("input"));
	same(boxes("lanes").length, 1, "one thread has this name");
	byId("filter").value = "";
	byId("filter").dispatchEvent(new Event("input"));
	byId("none").click();
	same(legend("two"), "no values in this time", "no thread");
	box("lanes", "worker-2").click();
	same(legend("two"), "from 2 to 2", "one thread");
	same(byId("strip").getAttribute("aria-label"), "worker-2 1002: P, E, P, E", "where it ran");
	byId("all").click();

	// Themes
	const dark = () => document.documentElement.classList.contains("dark");
	const before = dark();

	press("t");
	same(dark(), !before, "the other theme");
	press("t");
}

const errors = [];

window.addEventListener("error", event => errors.push(event.message));
console.error = (...words) => errors.push(words.join(" "));
try {
	drive();
} catch (error) {
	wrong.push(error.stack);
}
document.body.append(element("pre", {
	id: "result", textContent: `${[...errors, ...wrong].join("\n")}\nend of the test`,
}));
