// SPDX-License-Identifier: GPL-2.0
// Phases of a thread: times in which a quantity has about the same mean, by binary segmentation (Scott and
// Knott, Biometrics 30, 1974). In numbers that are random and unrelated there are no phases.
"use strict";

// A phase has so many samples at least, and another mean than its neighbours by this part.
const leastSamples = 5, leastDifference = 0.05;
// The sum of squares that a boundary explains has to be so many times the noise's variance, times ln(n).
const evidence = 6;

function median(values) {
	const sorted = Float64Array.from(values).sort();

	return sorted.length ? sorted[sorted.length >> 1] : NaN;
}

// Sums of values up to each, and of the squares of what each differs from the one before it
function sumsOf(values) {
	const sums = new Float64Array(values.length + 1), squares = new Float64Array(values.length + 1);

	values.forEach((v, i) => {
		sums[i + 1] = sums[i] + v;
		squares[i + 1] = squares[i] + (i ? (v - values[i - 1]) ** 2 : 0);
	});
	return { sums, squares };
}

// The boundary from from to to that explains most, or 0: there is none. The variance of the noise is estimated
// by differences (von Neumann, Annals of Mathematical Statistics 12, 1941): a change of the mean adds little.
function boundary({ sums, squares }, from, to, leastNoise) {
	const nr = to - from, least = leastDifference * Math.abs((sums[to] - sums[from]) / nr);
	const noise = Math.max((squares[to] - squares[from + 1]) / (2 * (nr - 1)), leastNoise);
	let best = 0, most = evidence * noise * Math.log(nr);

	for (let at = from + leastSamples; at <= to - leastSamples; at++) {
		const left = (sums[at] - sums[from]) / (at - from), right = (sums[to] - sums[at]) / (to - at);
		const explained = (left - right) ** 2 * (at - from) * (to - at) / nr;

		if (explained > most && Math.abs(left - right) >= least) {
			most = explained;
			best = at;
		}
	}
	return best;
}

// Return: the indexes at which phases begin, in order, without the first one
function phasesOf(values) {
	const sums = sumsOf(values), leastNoise = (0.01 * median(values)) ** 2, begins = [];
	const parts = [[0, values.length]];

	while (parts.length) {
		const [from, to] = parts.pop(), at = boundary(sums, from, to, leastNoise);

		if (!at)
			continue;
		begins.push(at);
		parts.push([from, at], [at, to]);
	}
	return begins.sort((a, b) => a - b);
}

// The values of a quantity in the samples of a lane, each as a part of the median of its core type, so that a
// migration is no phase; index: of which sample each is
function relativeValues(lane, quantity) {
	const { width, numbers } = inputsOf(lane, quantity), values = [], index = [], types = [];

	for (let i = 0; width && i < lane.start.length; i++) {
		const value = quantity.value(numbers.slice(i * width, (i + 1) * width));

		if (!Number.isFinite(value))
			continue;
		values.push(value);
		types.push(lane.type[i]);
		index.push(i);
	}
	const middle = new Map([...lane.coreTypes].map(type => [type, median(values.filter((v, i) => types[i] === type))]));

	return { values: values.map((v, i) => middle.get(types[i]) ? v / middle.get(types[i]) : v), index };
}

// Return: phases of a lane by a quantity: [{ from, to, first, last }], times in seconds and indexes of samples
function lanePhases(lane, quantity) {
	const { values, index } = relativeValues(lane, quantity);
	const begins = [0, ...phasesOf(values)];

	return begins.map((begin, n) => {
		const first = index[begin], last = index[(begins[n + 1] ?? values.length) - 1];

		return { from: lane.start[first], to: lane.end[last], first, last };
	}).filter(phase => phase.first !== undefined);
}

// The value of a quantity in all samples of a phase together
function phaseValue(lane, quantity, phase) {
	const { width, numbers } = inputsOf(lane, quantity), sums = new Float64Array(width);

	for (let i = phase.first; i <= phase.last; i++)
		for (let k = 0; k < width && !Number.isNaN(numbers[i * width]); k++)
			sums[k] += numbers[i * width + k];
	return width ? quantity.value(sums) : NaN;
}
