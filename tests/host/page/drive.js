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

let seed = 1;

// From 0 to 1, the same numbers in every run
function random() {
	seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
	return (seed >>> 8) / 2 ** 24;
}

const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());

// How many of 100 lists of random, unrelated numbers have phases
function falseAlarms(number, length) {
	let nr = 0;

	for (let i = 0; i < 100; i++)
		nr += phasesOf(Array.from({ length }, number)).length > 0;
	return nr;
}

function drivePhases() {
	const numbers = {
		normal: () => 1 + 0.2 * normal(), uniform: random, exponential: () => -Math.log(random() + 1e-9),
		"one of two": () => random() < 0.5 ? 1 : 2, constant: () => 1,
	};

	for (const [name, number] of Object.entries(numbers))
		for (const length of [20, 100, 1000])
			same(falseAlarms(number, length) <= 2, true, `false alarms in ${length} ${name} numbers`);
	const steps = Array.from({ length: 200 }, (_, i) => [1, 2, 1, 1.5][Math.floor(i / 50)] + 0.05 * normal());
	same(phasesOf(steps).join(), "50,100,150", "phases of steps");
	same(phasesOf(steps.map(v => v > 1.2 ? 1.02 : 1)).join(), "", "differences of two percent");
	same(phasesOf([]).join(), "", "no numbers");
	same(phasesOf([5]).join(), "", "one number");

	const caption = () => document.querySelector("#phases caption").textContent;
	same(caption(), "shown for one thread: choose one in the list", "phases of five threads");
	byId("none").click();
	box("lanes", "worker-2").click();
	same(caption(), "of worker-2 1002, by instructions per cycle", "phases of a thread");
	const rows = [...document.querySelectorAll("#phases tr")].map(row => [...row.children].map(cell => cell.textContent));
	same(rows[0].join("; "), "from, s; to, s; instructions per cycle; ~sf; instr per second", "columns of phases");
	same(rows.length > 3 && rows.length < 20, true, `${rows.length - 1} phases`);
	same(rows[1][0], "0.0020", "the first phase begins at the begin");
	same(rows.slice(2).every((row, i) => Math.abs(row[0] - rows[i + 1][1]) < 0.01), true, "phases without gaps");
	same(rows.slice(1).every(row => row[3] === "1.5"), true, "the level is constant");
	byId("all").click();
}

// A run of many short threads, each with one sample, in a second each
function driveStorm() {
	const report = run.report, nr = 2000;
	const samples = Array.from({ length: nr }, (_, i) => ({
		tid: 5000 + i, name: "short", time_ns: (i + 2) * 1e9, elapsed_ns: 1e9, running_ns: 1e6, core_type: 0,
		lost: 1, counts: { instr: 1 },
	}));

	begin({ ...report, samples, totals: undefined });
	same(boxes("lanes").length, 500, "threads in the list");
	same(byId("lanes").lastChild.textContent, "1500 more: filter them by name or number", "the end of the list");
	byId("filter").value = "short 6999";
	byId("filter").dispatchEvent(new Event("input"));
	same(boxes("lanes").length, 1, "the last thread is found");
	byId("filter").value = "";
	for (let left = nr; left > 100; left = run.nrSamples) {
		forgetHalf(run);
		same(run.nrSamples > left / 2 - 2 && run.nrSamples <= left / 2, true, `${run.nrSamples} of ${left} samples are kept`);
	}
	same(run.sorted.length <= 107 && run.lanes.size === run.sorted.length, true, `${run.sorted.length} threads are kept`);
	same(run.lost.length, run.nrSamples, "losses that are shown");
	describe();
	same(byId("about").textContent.includes("lost or left out: 2000"), true, "all losses are in the sum");
	same(`${plural(1, "thread")}, ${plural(2, "thread")}`, "1 thread, 2 threads", "one thread is in the singular");
	addSamples(run, [{ ...samples[0], time_ns: (nr + 2) * 1e9 }]);
	same(run.lanes.get(5000).samples.length, 1, "a thread comes back");
	begin(report);
}

// After the end of a thread, its number is another thread's; samples of the time of its end are its own.
function driveNumbers() {
	const report = run.report;
	const sample = (id, name, time, type) => ({
		...id, name, time_ns: time * 1e9, elapsed_ns: 1e9, running_ns: time * 1e6, core_type: 0, type, counts: { instr: 1 },
	});
	const beginWith = samples => begin({ ...report, samples, totals: undefined });
	const lanes = () => run.sorted.map(lane => `${lane.label} ${lane.samples.length} ${lane.colour}`).join();
	const tid = { tid: 7 }, cpu = { cpu: 7 };

	beginWith([
		sample(tid, "cc1", 2, "tick"), sample(tid, "cc1", 3, "exit"), sample(tid, "cc1", 3, "exit"),
		sample(tid, "sh", 9, "tick"),
	]);
	same(boxes("lanes").length, 2, "two threads with one number");
	same(lanes(), `sh 7 1 ${laneColours[0]},cc1 7 3 ${laneColours[1]}`, "their samples");
	same(addSamples(run, [sample(tid, "sh", 10, "exit")]), false, "the thread goes on");
	same(addSamples(run, [sample(tid, "ls", 11, "tick")]), true, "a third thread");
	same(lanes().endsWith(`,ls 7 1 ${laneColours[2]}`), true, "its samples");
	run.sorted[1].shown = false;
	forgetHalf(run);
	same(run.sorted.map(lane => lane.label).join(), "sh 7,ls 7", "the first thread is forgotten");
	same(addSamples(run, [sample(tid, "ls", 12, "tick")]), false, "the third one goes on");
	beginWith([sample({ tid: 7, pid: 5 }, "cc1", 2, "tick"), sample({ tid: 7, pid: 6 }, "sh", 3, "tick")]);
	same(lanes(), `sh 7 1 ${laneColours[0]},cc1 7 1 ${laneColours[1]}`, "a thread that called exec, and another one");
	beginWith([sample(cpu, "", 2, "exit"), sample(cpu, "", 3, "tick")]);
	same(lanes(), `CPU 7 2 ${laneColours[0]}`, "a CPU that was offline");
	begin(report);
}

// Values in bins are those of a plain sum over all samples, for random samples on two core types with gaps
// between them, some of which do not have the quantity.
function driveBins() {
	const report = run.report, samples = [];
	const quantity = {
		inputs: s => s.counts.instr ? [s.counts.instr, s.end - s.start] : null, value: sums => sums[0] / sums[1],
	};

	for (let i = 0, end = 0; i < 500; i++) {
		const length = random();

		end += length + (i % 7 ? 0 : 3 * random());
		samples.push({
			tid: 7, pid: 5, name: "one", time_ns: (end + 1) * 1e9, elapsed_ns: length * 1e9, running_ns: 1, type: "tick",
			core_type: Number(random() < 0.5), counts: random() < 0.1 ? {} : { instr: Math.floor(1e6 * random()) },
		});
	}
	begin({ ...report, samples, totals: undefined });
	const lane = run.sorted[0], end = run.length;

	for (const [from, to, nr] of [[0, end, 600], [0, end, 3], [100.3, 108.4, 50], [end / 2, end + 9, 97]]) {
		const bins = binsOf(lane, quantity, from, to, nr), width = (to - from) / nr;
		let differ = 0, nrValues = 0;

		for (const type of [0, 1]) {
			for (let bin = 0; bin < nr; bin++) {
				const a = from + bin * width, b = a + width, sums = [0, 0];

				for (const s of lane.samples) {
					const share = (Math.min(b, s.end) - Math.max(a, s.start)) / (s.end - s.start);

					if (s.coreType === type && s.counts.instr && share > 1e-9)
						quantity.inputs(s).forEach((number, k) => { sums[k] += number * share; });
				}
				const expected = sums[1] ? sums[0] / sums[1] : null, got = bins[type][bin];

				nrValues += got !== null;
				differ += (got === null) !== (expected === null) || Math.abs(got - expected) > 1e-6 * expected;
			}
		}
		same(differ, 0, `values in ${nr} bins from ${from} to ${to} that differ`);
		same(nrValues > 2, true, `${nrValues} values`);
	}
	begin(report);
}

// A line, a point with nothing at its sides, a gap, and what the pointer is at
function driveDrawing() {
	const report = run.report;
	const sample = (end, length, instr) => ({
		tid: 7, pid: 5, name: "one", time_ns: end * 1e9, elapsed_ns: length * 1e9, running_ns: 1, core_type: 0,
		type: "tick", counts: { instr },
	});

	begin({ ...report, samples: [sample(2, 1, 97), sample(5, 0.001, 0.097), sample(10, 1, 97)], totals: undefined });
	const { box, legend, graph } = [...charts].find(([quantity]) => quantity.title === "instr per second")[1];
	// One call for each canvas: the browser warns of a second one. isBlue(X): is the pixel there, at the value 97?
	const pixelsOf = canvas => {
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		const scale = canvas.width / canvas.clientWidth, y = Math.round(graph.toDomYCoord(97) * scale);

		return x => {
			const at = (y * canvas.width + Math.round(x * scale)) * 4;

			return data[at] < 50 && data[at + 2] > 150 && data[at + 3] > 100;
		};
	};
	let isBlue = pixelsOf(graph.hidden_);

	same(isBlue(graph.toDomXCoord(0.5)), true, "a line");
	same(isBlue(graph.toDomXCoord(3.9995)), true, "a point");
	same(isBlue(graph.toDomXCoord(3)), false, "a gap");
	const at = box.getBoundingClientRect(), x = graph.toDomXCoord(0.5);

	graph.canvas_.dispatchEvent(new MouseEvent("mousemove", {
		clientX: at.left + x, clientY: at.top + graph.toDomYCoord(97), bubbles: true,
	}));
	isBlue = pixelsOf(graph.canvas_);
	same(isBlue(x + 2), true, "a circle at the pointer");
	same(isBlue(x + 20), false, "nothing beside the pointer");
	same(legend.textContent, "at 0.5025 s: one 7 on P: 97", "the value at the pointer");
	begin(report);
}

// Events with modifiers: instructions per cycle are of equal ones.
function driveModifiers() {
	const report = run.report;
	const beginWith = counts => begin({
		...report, samples: [{ ...report.samples[0], counts }], totals: undefined,
		core_types: report.core_types.map(type => ({
			...type, sets: [Object.keys(counts).map(event => ({ event }))],
		})),
	});

	beginWith({ "instr:pmc=1": 6, "cycles:cmask=1:inv": 3 });
	same(titles(), "~sf; instr:pmc=1 per second; cycles:cmask=1:inv per second", "modifiers that differ");
	beginWith({ "instr:pmc=1": 6, "cycles:pmc=1": 3 });
	same(legend("instructions per cycle"), "from 2 to 2", "modifiers with numbers");
	beginWith({ "instr:u": 6, "cycles:k": 1, "cycles:u": 3 });
	same(legend("instructions per cycle"), "from 2 to 2", "cycles of two modes");
	begin(report);
}

function drive() {
	same(titles(), "instructions per cycle; ~sf; instr per second", "charts at the beginning");
	for (const chart of charts.values()) {
		const area = chart.graph.getArea();

		same(`${area.x} to ${area.x + area.w}`, `120 to ${byId("strip").clientWidth - 5}`, "times, in pixels");
	}
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

	drivePhases();

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

	driveStorm();
	driveNumbers();
	driveModifiers();
	driveBins();
	driveDrawing();
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
