// SPDX-License-Identifier: GPL-2.0
// A run: threads or CPUs ("lanes") with their samples, and quantities, whose values are computed in
// bins of time.
"use strict";

// Colours of Okabe and Ito's palette, which colour-blind readers can distinguish
const laneColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

function laneOf(run, sample) {
	const id = sample.tid ?? sample.cpu ?? 0;
	let lane = run.lanes.get(id);

	if (!lane) {
		lane = { id, name: "", coreTypes: new Set(), running: 0, samples: [], inputs: new Map() };
		run.lanes.set(id, lane);
	}
	return lane;
}

function labelOf(run, lane) {
	return run.ofCpus ? `CPU ${lane.id}` : `${lane.name || "thread"} ${lane.id}`;
}

// Times are in seconds since the first sample began.
function readRun(report) {
	const run = { report, lanes: new Map(), coreTypes: report.core_types, length: 0, lost: [] };
	let first = Infinity;

	run.ofCpus = report.samples.length > 0 && report.samples[0].tid === undefined;
	for (const s of report.samples)
		first = Math.min(first, s.time_ns - s.elapsed_ns);
	for (const s of report.samples) {
		const lane = laneOf(run, s), end = (s.time_ns - first) / 1e9;

		lane.name = s.name || lane.name;
		lane.coreTypes.add(s.core_type);
		lane.running += s.running_ns;
		lane.samples.push({
			start: end - s.elapsed_ns / 1e9, end, coreType: s.core_type, ns: s.running_ns,
			counts: s.counts, virtual: s.virtual || {}, metrics: s.metrics || {},
		});
		if (s.lost || s.left_out)
			run.lost.push({ time: end, lane, nr: (s.lost || 0) + (s.left_out || 0) });
		run.length = Math.max(run.length, end);
	}
	run.sorted = [...run.lanes.values()].sort((a, b) => b.running - a.running);
	run.sorted.forEach((lane, n) => {
		lane.start = Float64Array.from(lane.samples, s => s.start);
		lane.end = Float64Array.from(lane.samples, s => s.end);
		lane.type = Uint8Array.from(lane.samples, s => s.coreType);
		lane.label = labelOf(run, lane);
		lane.colour = laneColours[n % laneColours.length];
		lane.shown = n < 6;
	});
	return run;
}

// ---- quantities ----
//
// { title, inputs, value }: inputs(sample) are numbers that may be added over samples, or null if the
// sample does not have the quantity; value(sums) is the quantity.

function eventNames(run) {
	return run.coreTypes.flatMap(type => type.sets.flatMap(set => set.map(event => event.event)))
		.filter((name, n, all) => all.indexOf(name) === n);
}

function rateOf(name) {
	const clock = name === "task_clock";

	return {
		title: clock ? "CPUs in use" : `${name} per second`,
		inputs: s => name in s.counts ? [s.counts[name], s.end - s.start] : null,
		value: sums => sums[0] / sums[1] / (clock ? 1e9 : 1),
	};
}

// A level, ratio or metric: its mean over the time that the counters were loaded
function meanOf(title, get) {
	return {
		title,
		inputs: s => get(s) === null || get(s) === undefined ? null : [get(s) * s.ns, s.ns],
		value: sums => sums[0] / sums[1],
	};
}

function virtualOf(v) {
	const title = `${v.estimated ? "~" : ""}${v.name}${v.unit ? `[${v.unit}]` : ""}`;

	if (v.kind !== "count")
		return meanOf(title, s => s.virtual[v.name]);
	return {
		title: `${title} per second`,
		inputs: s => typeof s.virtual[v.name] === "number" ? [s.virtual[v.name], s.end - s.start] : null,
		value: sums => sums[0] / sums[1],
	};
}

// NAME=FORMULA; throws an Error that says what is wrong
function definedOf(run, text) {
	const at = text.indexOf("="), name = text.slice(0, at).trim();

	if (at < 1 || !name)
		throw new Error("write NAME=FORMULA, as mpki=1000*llc_misses/instr");
	const { names, value } = parseFormula(text.slice(at + 1), [...eventNames(run), "ns"]);

	return {
		title: name, defined: text,
		inputs: s => {
			const numbers = names.map(n => n === "ns" ? s.ns : s.counts[n]);

			return numbers.includes(undefined) ? null : numbers;
		},
		value: sums => {
			const v = value(sums);

			return Number.isFinite(v) ? v : NaN;
		},
	};
}

function quantitiesOf(run) {
	const names = eventNames(run), all = [];
	const find = name => names.find(n => n === name || n.startsWith(`${name}:`));
	const instr = find("instr"), cycles = find("cycles");

	if (instr && cycles)
		all.push({ ...definedOf(run, `ipc=${instr}/${cycles}`), title: "instructions per cycle" });
	for (const m of run.report.metrics || [])
		all.push(meanOf(m.unit ? `${m.name}[${m.unit}]` : m.name, s => s.metrics[m.name]));
	for (const v of run.report.virtual_counters || [])
		all.push(virtualOf(v));
	for (const name of names)
		all.push(rateOf(name));
	all.forEach((quantity, n) => { quantity.shown = n < 3; });
	return all;
}

// ---- bins ----

// Index of the first sample of a lane that ends after this time
function firstAfter(lane, time) {
	let low = 0, high = lane.end.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (lane.end[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The inputs of a quantity in all samples of a lane, one sample after the other; NaN: the sample does not
// have the quantity. They are computed once.
function inputsOf(lane, quantity) {
	let inputs = lane.inputs.get(quantity);

	if (!inputs) {
		const all = lane.samples.map(quantity.inputs);
		const width = (all.find(numbers => numbers) || []).length;

		inputs = { width, numbers: new Float64Array(width * all.length).fill(NaN) };
		all.forEach((numbers, n) => { if (numbers) inputs.numbers.set(numbers, n * width); });
		lane.inputs.set(quantity, inputs);
	}
	return inputs;
}

// Values of a quantity of a lane on a core type, in nr bins; null in a bin without a sample
function binsOf(lane, coreType, quantity, from, to, nr) {
	const { width, numbers } = inputsOf(lane, quantity), { start, end, type } = lane;
	const scale = nr / (to - from), values = new Array(nr).fill(null);
	const sums = new Float64Array(nr * width), has = new Uint8Array(nr), one = new Float64Array(width);

	if (!width)
		return values;
	for (let i = firstAfter(lane, from); i < start.length && start[i] < to; i++) {
		if (type[i] !== coreType || Number.isNaN(numbers[i * width]))
			continue;
		const a = (start[i] - from) * scale, b = (end[i] - from) * scale;

		for (let bin = Math.max(0, Math.floor(a)); bin < nr && bin < b; bin++) {
			const share = b > a ? (Math.min(b, bin + 1) - Math.max(a, bin)) / (b - a) : 0;

			has[bin] = 1;
			for (let k = 0; k < width; k++)
				sums[bin * width + k] += numbers[i * width + k] * share;
		}
	}
	for (let bin = 0; bin < nr; bin++) {
		if (!has[bin])
			continue;
		for (let k = 0; k < width; k++)
			one[k] = sums[bin * width + k];
		values[bin] = quantity.value(one);
	}
	return values;
}
