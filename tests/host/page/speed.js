// SPDX-License-Identifier: GPL-2.0
// Behind the scripts of a page: what it costs to draw its charts anew with all threads. Points and
// values are counted, as their numbers are the same on any machine. The goal is 100 ms on one that has
// nothing else to do; the bound is twenty times as long, for the best of five: the host may be busy.
"use strict";

// A line has 32 values: two lines a thread, in three charts
const drawn = 400 * 2 * 3 * 32;
const most = { points: drawn, values: drawn, inputs: 0, milliseconds: 2000 };
const cost = { points: 0, values: 0, inputs: 0, milliseconds: Infinity };

// Count the calls of a function.
function counted(object, name, what) {
	const original = object[name];

	object[name] = function (...words) {
		cost[what]++;
		return original.apply(this, words);
	};
}

showAll(true);
for (let i = 0; i < 5; i++) {
	const start = performance.now();

	show(i, run.length - i);
	cost.milliseconds = Math.min(cost.milliseconds, performance.now() - start);
}
counted(CanvasRenderingContext2D.prototype, "lineTo", "points");
for (const quantity of quantities) {
	counted(quantity, "value", "values");
	counted(quantity, "inputs", "inputs");
}
show(0, run.length);
const wrong = Object.keys(most).filter(what => !(cost[what] <= most[what]))
	.map(what => `too much: ${what} ${cost[what]}, at most ${most[what]}`);

// Else nothing was counted.
if (cost.points < 10000 || cost.values < 10000)
	wrong.push(`too little: points ${cost.points}, values ${cost.values}`);
document.body.append(element("pre", {
	id: "result",
	textContent: `${run.sorted.length} threads, ${run.report.samples.length} samples, ${charts.size} charts: ` +
		`${cost.milliseconds.toFixed(0)} ms, ${cost.points} points, ${cost.values} values\n` +
		[...wrong, "end of the test"].join("\n"),
}));
