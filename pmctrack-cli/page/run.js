// SPDX-License-Identifier: GPL-2.0
// A run: threads or CPUs ("lanes") with their samples, and quantities, whose values are computed in
// bins of time.
"use strict";

// Colours of Okabe and Ito's palette, which colour-blind readers can distinguish
const laneColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

// More threads are not shown unless the reader chooses so.
const shownAtFirst = 6;

// The lane of a sample. Samples after the end of a thread are those of another one, with its number, as
// are those of another process, if the last sample was lost.
function laneOf(run, s) {
	const id = s.tid ?? s.cpu ?? 0;
	let lane = run.lanes.get(id);

	if (!lane || lane.pid !== s.pid || (lane.ended !== undefined && s.time_ns !== lane.ended)) {
		lane = {
			id, pid: s.pid, name: "", coreTypes: new Set(), running: 0, samples: [], inputs: new Map(),
			start: [], end: [], type: [],
		};
		run.lanes.set(id, lane);
	}
	if (s.type === "exit" && s.tid !== undefined)
		lane.ended = s.time_ns;
	return lane;
}

function labelOf(run, lane) {
	return run.ofCpus ? `CPU ${lane.id}` : `${lane.name || "thread"} ${lane.id}`;
}

function addSample(run, lane, s) {
	const end = (s.time_ns - run.first) / 1e9;

	if (!lane.label || (s.name && s.name !== lane.name)) {
		lane.name = s.name || lane.name;
		lane.label = labelOf(run, lane);
	}
	lane.coreTypes.add(s.core_type);
	lane.running += s.running_ns;
	lane.samples.push({
		start: end - s.elapsed_ns / 1e9, end, coreType: s.core_type, ns: s.running_ns,
		counts: s.counts, virtual: s.virtual || {}, metrics: s.metrics || {},
	});
	lane.start.push(end - s.elapsed_ns / 1e9);
	lane.end.push(end);
	lane.type.push(s.core_type);
	if (s.lost || s.left_out) {
		run.lost.push({ time: end, lane });
		run.nrLost += (s.lost || 0) + (s.left_out || 0);
	}
	run.length = Math.max(run.length, end);
}

// Add the lanes of these samples that the list does not have: those that have run for the longest time are
// the first. Return: there are such ones.
function addLanes(run, samples, lanes) {
	const running = new Map();

	samples.forEach((s, i) => {
		if (!lanes[i].colour)
			running.set(lanes[i], (running.get(lanes[i]) || 0) + s.running_ns);
	});
	for (const lane of [...running.keys()].sort((a, b) => running.get(b) - running.get(a))) {
		lane.colour = laneColours[run.sorted.length % laneColours.length];
		lane.shown = run.sorted.length < shownAtFirst;
		run.sorted.push(lane);
	}
	return running.size > 0;
}

// Return: there are threads that had no sample before.
function addSamples(run, samples) {
	if (!run.nrSamples && samples.length) {
		run.ofCpus = samples[0].tid === undefined;
		run.first = samples.reduce((first, s) => Math.min(first, s.time_ns - s.elapsed_ns), Infinity);
	}
	const lanes = samples.map(s => laneOf(run, s)), added = addLanes(run, samples, lanes);

	samples.forEach((s, i) => addSample(run, lanes[i], s));
	run.nrSamples += samples.length;
	return added;
}

// Times are in seconds since the first sample began.
function readRun(report) {
	const run = {
		report, lanes: new Map(), sorted: [], coreTypes: report.core_types, length: 0, lost: [], nrLost: 0,
		first: 0, nrSamples: 0, ofCpus: false,
	};

	addSamples(run, report.samples);
	return run;
}

// Drop the earlier half of all samples, and the threads that had no others and are not shown.
function forgetHalf(run) {
	const ends = Float64Array.from(run.sorted.flatMap(lane => lane.end)).sort(), cut = ends[ends.length >> 1];
	const isKept = lane => lane.samples.length || lane.shown;

	for (const lane of run.sorted) {
		const nr = firstAfter(lane, cut);

		for (const list of [lane.samples, lane.start, lane.end, lane.type])
			list.splice(0, nr);
		lane.inputs.clear();
		run.nrSamples -= nr;
		if (!isKept(lane) && run.lanes.get(lane.id) === lane)
			run.lanes.delete(lane.id);
	}
	run.sorted = run.sorted.filter(isKept);
	run.lost = run.lost.filter(loss => loss.time > cut);
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

// Instructions, and cycles with the same modifiers; null if there are not both
function ipcOf(names) {
	const instr = names.find(name => name.split(":")[0] === "instr");
	const cycles = instr && instr.replace("instr", "cycles");

	if (!names.includes(cycles))
		return null;
	return {
		title: "instructions per cycle",
		inputs: s => instr in s.counts && cycles in s.counts ? [s.counts[instr], s.counts[cycles]] : null,
		value: sums => sums[1] ? sums[0] / sums[1] : NaN,
	};
}

function quantitiesOf(run) {
	const names = eventNames(run), all = [], ipc = ipcOf(names);

	if (ipc)
		all.push(ipc);
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

// Index of the first sample that ends after this time; low: no earlier one does
function firstAfter({ end }, time, low = 0) {
	let high = end.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (end[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The inputs of a quantity in all samples of a lane, one sample after the other; NaN: the sample does not
// have the quantity. Each is computed once.
function inputsOf(lane, quantity) {
	let inputs = lane.inputs.get(quantity);

	if (!inputs) {
		inputs = { nr: 0, width: 0, numbers: [], nrSummed: 0, byType: [] };
		lane.inputs.set(quantity, inputs);
	}
	while (inputs.nr < lane.samples.length) {
		const numbers = quantity.inputs(lane.samples[inputs.nr]);

		if (numbers && !inputs.width) {
			inputs.width = numbers.length;
			inputs.numbers = new Array(inputs.nr * inputs.width).fill(NaN);
		}
		for (let k = 0; k < inputs.width; k++)
			inputs.numbers.push(numbers ? numbers[k] : NaN);
		inputs.nr++;
	}
	return inputs;
}

// The samples of a lane on each of its core types that have a quantity: their times, and running sums of
// their inputs, so that the cost of a bin does not depend on how many samples are in it
function runningSumsOf(lane, quantity) {
	const inputs = inputsOf(lane, quantity), { width, numbers, byType } = inputs;

	for (; inputs.nrSummed < inputs.nr; inputs.nrSummed++) {
		const i = inputs.nrSummed, type = lane.type[i];

		if (!width || Number.isNaN(numbers[i * width]))
			continue;
		const part = byType[type] ||= { start: [], end: [], sums: new Array(width).fill(0) };

		part.start.push(lane.start[i]);
		part.end.push(lane.end[i]);
		for (let k = 0; k < width; k++)
			part.sums.push(part.sums[part.sums.length - width] + numbers[i * width + k]);
	}
	return inputs;
}

// Write the sums of all samples before a time. A sample in progress has its share. i: the first that ends later
function sumsBefore({ start, end, sums }, width, i, time, result) {
	const share = i < end.length && time > start[i] ? (time - start[i]) / (end[i] - start[i]) : 0;

	for (let k = 0, at = i * width; k < width; k++, at++)
		result[k] = share ? sums[at] + share * (sums[at + width] - sums[at]) : sums[at];
}

// Values of a quantity of a lane in nr bins, for each core type; null in a bin without a sample
function binsOf(lane, quantity, from, to, nr) {
	const { width, byType } = runningSumsOf(lane, quantity), bins = [];
	const sums = new Float64Array(width);
	let before = new Float64Array(width), after = new Float64Array(width);

	for (const coreType of lane.coreTypes) {
		const part = byType[coreType], values = bins[coreType] = new Array(nr).fill(null);

		if (!part)
			continue;
		let i = firstAfter(part, from);

		sumsBefore(part, width, i, from, after);
		for (let bin = 0; bin < nr && i < part.end.length; bin++) {
			const time = from + (to - from) * (bin + 1) / nr, isEmpty = part.start[i] >= time;

			[before, after] = [after, before];
			i = firstAfter(part, time, i);
			sumsBefore(part, width, i, time, after);
			if (isEmpty)
				continue;
			for (let k = 0; k < width; k++)
				sums[k] = after[k] - before[k];
			values[bin] = quantity.value(sums);
		}
	}
	return bins;
}
