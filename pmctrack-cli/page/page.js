// SPDX-License-Identifier: GPL-2.0
// The page: which threads and quantities are shown, of which time; a chart for each quantity.
"use strict";

const byId = id => document.getElementById(id);

// element(NAME, { attribute: value, ... }, CHILD...): texts are never HTML
function element(name, attributes, ...children) {
	const e = document.createElement(name);

	Object.assign(e, attributes);
	e.append(...children);
	return e;
}

let run = null, quantities = [];
// The time that is shown, in seconds. While a run goes on (live) and the view follows, its end is the
// latest sample, and its length is span at most.
const view = { from: 0, to: 0, follow: true, span: Infinity };
let live = false;
// Dashes say the core type, for readers without colours.
const dashes = [null, [7, 4], [2, 3], [10, 3, 2, 3]];

// ---- charts ----

// By quantity: its place in the page, its lines and their values, and the graph that draws them
const charts = new Map();

// A line for each thread shown on each core type
function linesShown() {
	return run.sorted.filter(lane => lane.shown).flatMap(lane =>
		[...lane.coreTypes].sort().map(coreType => ({
			lane, coreType, label: `${lane.label} on ${run.coreTypes[coreType].name}`,
		})));
}

// With one thread, core types have colours; else threads have.
function colourOf(line, lines) {
	const one = lines.every(other => other.lane === line.lane);

	return one ? laneColours[line.coreType % laneColours.length] : line.lane.colour;
}

function text(value) {
	const units = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
	const unit = units.find(u => Math.abs(value) >= u[0]);

	return unit ? `${(value / unit[0]).toPrecision(3)}${unit[1]}` : String(Number(value.toPrecision(3)));
}

// The values of lines in nr bins; null or NaN in a bin without one
function columnsOf(lines, quantity, nr) {
	const bins = new Map(lines.map(({ lane }) => [lane, null]));

	for (const lane of bins.keys())
		bins.set(lane, binsOf(lane, quantity, view.from, view.to, nr));
	return lines.map(line => bins.get(line.lane)[line.coreType]);
}

const isValue = value => value !== null && Number.isFinite(value);

// Rows of a chart: the middle of a bin, and the least and the greatest value of all lines there
function rowsOf(columns, nr) {
	const width = (view.to - view.from) / nr;

	return Array.from({ length: nr }, (_, bin) => {
		let min = null, max = null;

		for (const column of columns) {
			const value = column[bin];

			if (!isValue(value))
				continue;
			min = min === null || value < min ? value : min;
			max = max === null || value > max ? value : max;
		}
		return [view.from + (bin + 0.5) * width, min, max];
	});
}

const nrShown = () => quantities.filter(quantity => quantity.shown).length;

function showValues({ legend, lines, columns, rows }, bin) {
	const values = lines.map((line, n) => [line, columns[n][bin]]).filter(pair => isValue(pair[1]))
		.sort((a, b) => b[1] - a[1]);
	const shown = values.slice(0, 4).map(([line, value]) => `${line.label}: ${text(value)}`);

	if (values.length > 4)
		shown.push(`${values.length - 4} more`);
	legend.textContent = `at ${rows[bin][0].toFixed(4)} s: ${shown.join("; ") || "nothing"}`;
}

function summary(rows) {
	const values = rows.filter(row => row[1] !== null);

	if (!values.length)
		return "no values in this time";
	return `from ${text(Math.min(...values.map(row => row[1])))} to ${text(Math.max(...values.map(row => row[2])))}`;
}

// The lines of a chart, whose graph has a series of their least values and one of their greatest: a series
// for each of some hundred lines would take dygraphs three times as long.
function drawLines({ lines, columns, rows }, graph, context) {
	const x = rows.map(row => graph.toDomXCoord(row[0])), zero = graph.toDomYCoord(0);
	const scale = graph.toDomYCoord(1) - zero;

	context.lineWidth = 1.5;
	lines.forEach((line, n) => {
		const column = columns[n];

		context.strokeStyle = context.fillStyle = line.colour;
		context.setLineDash(dashes[line.coreType % dashes.length] || []);
		context.beginPath();
		for (let bin = 0; bin < column.length; bin++) {
			if (!isValue(column[bin]))
				continue;
			if (bin && isValue(column[bin - 1]))
				context.lineTo(x[bin], zero + column[bin] * scale);
			else if (bin + 1 < column.length && isValue(column[bin + 1]))
				context.moveTo(x[bin], zero + column[bin] * scale);
			else
				context.fillRect(x[bin] - 1, zero + column[bin] * scale - 1, 2, 2);
		}
		context.stroke();
	});
	context.setLineDash([]);
}

// Points of the lines in a bin
function drawPoints({ lines, columns }, graph, context, x, bin) {
	lines.forEach((line, n) => {
		if (!isValue(columns[n][bin]))
			return;
		context.fillStyle = line.colour;
		context.beginPath();
		context.arc(x, graph.toDomYCoord(columns[n][bin]), 3, 0, 2 * Math.PI);
		context.fill();
	});
}

// Pixels beside the times of a chart, and of the core types above: the same time is at the same place
const chartLeft = 120, chartRight = 5, tickSize = 3;

function makeChart(quantity) {
	const legend = element("div", { className: "legend" }), box = element("div", { className: "chart" });
	const section = element("section", {}, element("h2", { textContent: quantity.title }), box, legend);

	box.setAttribute("role", "img");
	byId("charts").append(section);
	box.addEventListener("dblclick", () => show(0, run.length));
	const chart = { section, box, legend, lines: [], columns: [], rows: [], graph: null };

	charts.set(quantity, chart);
	return chart;
}

function makeGraph(chart, options) {
	return new Dygraph(chart.box, chart.rows, {
		...options, labels: ["time", "least", "greatest"], includeZero: true, legend: "never",
		animatedZooms: false, xlabel: "seconds", xLabelHeight: 16, rightGap: chartRight,
		axes: { y: { axisLabelWidth: chartLeft - 2 * tickSize, axisTickSize: tickSize, axisLabelFormatter: text } },
		// Once for all series
		plotter: series => {
			if (!series.seriesIndex)
				drawLines(chart, series.dygraph, series.drawingContext);
		},
		drawHighlightPointCallback: (graph, series, context, x, y, colour, size, bin) => {
			if (series === "least")
				drawPoints(chart, graph, context, x, bin);
		},
		highlightCallback: (event, x, points, bin) => showValues(chart, bin),
		unhighlightCallback: () => { chart.legend.textContent = summary(chart.rows); },
		zoomCallback: (from, to) => show(from, to), underlayCallback: drawBoundaries,
	});
}

function drawChart(quantity) {
	const chart = charts.get(quantity) || makeChart(quantity), lines = linesShown();
	// So many points are drawn at once, and more only if a line would have less than 32.
	const nr = Math.max(32, Math.min(600, Math.floor(60000 / ((lines.length || 1) * nrShown()))));
	const style = getComputedStyle(document.documentElement);

	chart.lines = lines.map(line => ({ ...line, colour: colourOf(line, lines) }));
	chart.columns = columnsOf(lines, quantity, nr);
	chart.rows = rowsOf(chart.columns, nr);
	const options = {
		file: chart.rows, dateWindow: [view.from, view.to],
		gridLineColor: style.getPropertyValue("--line"), axisLineColor: style.getPropertyValue("--faint"),
	};

	if (chart.graph)
		chart.graph.updateOptions(options);
	else
		chart.graph = makeGraph(chart, options);
	chart.legend.textContent = summary(chart.rows);
	chart.box.setAttribute("aria-label", `${quantity.title}, ${chart.legend.textContent}`);
}

// ---- the core types of threads ----

const stripHeight = 16, stripLanes = 24;

function drawStrip() {
	const canvas = byId("strip"), lanes = run.sorted.filter(lane => lane.shown).slice(0, stripLanes);
	const width = canvas.clientWidth, scale = window.devicePixelRatio || 1;
	const style = getComputedStyle(document.documentElement);
	const timeWidth = width - chartLeft - chartRight;
	const x = time => chartLeft + (time - view.from) / (view.to - view.from) * timeWidth;

	canvas.style.height = `${Math.max(1, lanes.length) * stripHeight}px`;
	canvas.width = width * scale;
	canvas.height = Math.max(1, lanes.length) * stripHeight * scale;
	const c = canvas.getContext("2d");

	c.scale(scale, scale);
	c.font = "11px sans-serif";
	lanes.forEach((lane, n) => {
		const y = n * stripHeight;

		c.save();
		c.fillStyle = style.getPropertyValue("--text");
		c.fillText(lane.label, 0, y + 12, chartLeft - 6);
		c.beginPath();
		c.rect(chartLeft, y, timeWidth, stripHeight);
		c.clip();
		for (const part of partsOf(lane)) {
			c.fillStyle = laneColours[part.coreType % laneColours.length];
			c.fillRect(x(part.start), y + 1, Math.max(1, x(part.end) - x(part.start)), stripHeight - 2);
			c.fillStyle = "#ffffff";
			if (x(part.end) - x(part.start) > 24)
				c.fillText(run.coreTypes[part.coreType].name, Math.max(x(part.start), chartLeft) + 4, y + 12);
		}
		c.fillStyle = style.getPropertyValue("--text");
		for (const loss of run.lost)
			if (loss.lane === lane)
				c.fillText("▼", x(loss.time) - 5, y + 12);
		c.restore();
	});
	canvas.setAttribute("aria-label", lanes.map(lane =>
		`${lane.label}: ${partsOf(lane).map(part => run.coreTypes[part.coreType].name).join(", ")}`).join("; "));
}

// Times without a migration, in the view: samples of one core type, one after the other
function partsOf(lane) {
	const parts = [];

	for (let i = firstAfter(lane, view.from); i < lane.start.length && lane.start[i] < view.to; i++) {
		const part = { start: lane.start[i], end: lane.end[i], coreType: lane.type[i] };
		const last = parts[parts.length - 1];

		if (last && last.coreType === part.coreType && part.start - last.end < 1e-4)
			last.end = part.end;
		else
			parts.push(part);
	}
	return parts;
}

// ---- phases ----

// The only thread that is shown, its phases by the first quantity that is shown, or null
function phasesShown() {
	const lanes = run.sorted.filter(lane => lane.shown), quantity = quantities.find(q => q.shown);

	return lanes.length === 1 && quantity ? { lane: lanes[0], quantity, phases: lanePhases(lanes[0], quantity) } : null;
}

let phases = null;

// Lines where phases begin, below those of a chart
function drawBoundaries(context, area, graph) {
	if (!phases)
		return;
	context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--faint");
	context.setLineDash([4, 4]);
	for (const phase of phases.phases.slice(1)) {
		const x = graph.toDomXCoord(phase.from);

		context.beginPath();
		context.moveTo(x, area.y);
		context.lineTo(x, area.y + area.h);
		context.stroke();
	}
	context.setLineDash([]);
}

const mostPhases = 50;

function listPhases() {
	const table = byId("phases"), shown = quantities.filter(q => q.shown);
	const row = (tag, cells) => element("tr", {}, ...cells.map(cell => element(tag, { textContent: cell })));

	table.replaceChildren();
	if (!phases) {
		table.append(element("caption", { textContent: "shown for one thread: choose one in the list" }));
		return;
	}
	table.append(element("caption", { textContent: `of ${phases.lane.label}, by ${phases.quantity.title}` +
		(phases.phases.length > mostPhases ? `: the first ${mostPhases} of ${phases.phases.length}` : "") }));
	table.append(row("th", ["from, s", "to, s", ...shown.map(q => q.title)]));
	for (const phase of phases.phases.slice(0, mostPhases))
		table.append(row("td", [phase.from.toFixed(4), phase.to.toFixed(4), ...shown.map(q => {
			const value = phaseValue(phases.lane, q, phase);

			return Number.isFinite(value) ? text(value) : "-";
		})]));
}

// ---- what is shown ----

function draw() {
	phases = phasesShown();
	for (const quantity of quantities) {
		if (quantity.shown)
			drawChart(quantity);
		else if (charts.has(quantity)) {
			charts.get(quantity).graph.destroy();
			charts.get(quantity).section.remove();
			charts.delete(quantity);
		}
	}
	// In the order of the list
	for (const quantity of quantities)
		if (charts.has(quantity))
			byId("charts").append(charts.get(quantity).section);
	drawStrip();
	listPhases();
	byId("time").textContent = `${view.from.toFixed(4)} s to ${view.to.toFixed(4)} s of ${run.length.toFixed(4)} s`;
}

function show(from, to) {
	const length = Math.min(to - from, run.length);

	if (!(length > 1e-6))
		return;
	view.from = Math.max(0, Math.min(from, run.length - length));
	view.to = view.from + length;
	view.follow = view.to >= run.length;
	view.span = view.from > 0 ? length : Infinity;
	draw();
}

const latest = () => show(run.length - Math.min(view.span, run.length), run.length);

// More on each side, or less: a part of the view, as a number from -0.5. A view that follows keeps its end.
function zoom(part) {
	const length = view.to - view.from;

	if (live && view.follow) {
		view.span = length * (1 + 2 * part);
		latest();
	} else {
		show(view.from - length * part, view.to + length * part);
	}
}

function choice(box, item, name, detail, colour) {
	const input = element("input", { type: "checkbox", checked: item.shown });
	const parts = [input];

	if (colour) {
		const swatch = element("span", { className: "swatch" });

		swatch.style.background = colour;
		parts.push(swatch);
	}
	input.addEventListener("change", () => {
		item.shown = input.checked;
		draw();
	});
	box.append(element("label", {}, ...parts, element("span", { textContent: name }),
		element("span", { textContent: detail })));
}

// A longer list would take longer to make than there is between two drawings of a run that goes on.
const mostListed = 500;

function listLanes() {
	const box = byId("lanes"), filter = byId("filter").value;
	const lanes = run.sorted.filter(lane => lane.label.includes(filter));

	byId("what").textContent = run.ofCpus ? "CPUs" : "Threads";
	box.replaceChildren();
	for (const lane of lanes.slice(0, mostListed))
		choice(box, lane, lane.label, `${text(lane.running / 1e9)} s`, lane.colour);
	if (lanes.length > mostListed)
		box.append(element("p", { textContent: `${lanes.length - mostListed} more: filter them by name or number` }));
}

function listQuantities() {
	byId("quantities").replaceChildren();
	for (const quantity of quantities)
		choice(byId("quantities"), quantity, quantity.title, "");
}

function define() {
	const input = byId("define");

	try {
		const quantity = definedOf(run, input.value);

		quantity.shown = quantity.ofReader = true;
		quantities.unshift(quantity);
		input.value = "";
		byId("error").textContent = "";
		listQuantities();
		if (run.length)
			draw();
	} catch (error) {
		byId("error").textContent = error.message;
	}
}

function showAll(shown) {
	for (const lane of run.sorted)
		if (lane.label.includes(byId("filter").value))
			lane.shown = shown;
	listLanes();
	draw();
}

// ---- the report's other parts ----

function plural(n, what) {
	return `${n} ${what}${n === 1 ? "" : "s"}`;
}

function describe() {
	const report = run.report, losses = [];
	const types = run.coreTypes.map(type => `${type.name}: CPUs ${type.cpus}`).join("; ");

	byId("title").textContent = (report.command || []).join(" ") || "pmctrack";
	document.title = `${(report.command || ["pmctrack"])[0]}: pmctrack`;
	for (const [key, what] of [["lost", "samples lost"], ["left_out", "samples left out"],
		["missed_threads", "threads not counted"], ["counter_lost", "samples without a counter"]])
		if (report[key])
			losses.push(`${report[key]} ${what}`);
	if (!report.totals && run.nrLost)
		losses.push(`lost or left out: ${run.nrLost}`);
	byId("about").textContent = `${report.mode} mode; ${types}; ` +
		`${plural(run.sorted.length, run.ofCpus ? "CPU" : "thread")}, ${plural(run.nrSamples, "sample")}` +
		(losses.length ? `; ${losses.join(", ")} (▼)` : "");
}

function showTotals() {
	const table = byId("totals"), totals = run.report.totals;

	table.replaceChildren();
	if (!totals) {
		table.append(element("caption", { textContent: "at the end of the run" }));
		return;
	}
	const row = (tag, cells) => element("tr", {}, ...cells.map(cell => element(tag, { textContent: cell })));

	table.append(row("th", ["total", ...totals.map(t => run.coreTypes[t.core_type].name)]));
	for (const name of eventNames(run))
		table.append(row("td", [name, ...totals.map(t =>
			name in t.counts ? t.counts[name].toLocaleString("en") : "-")]));
	table.append(row("td", ["running, s", ...totals.map(t => (t.running_ns / 1e9).toFixed(6))]));
}

function setTheme(dark) {
	document.documentElement.classList.toggle("dark", dark);
	if (run.length)
		draw();
}

const keys = {
	ArrowLeft: () => show(view.from - (view.to - view.from) / 5, view.to - (view.to - view.from) / 5),
	ArrowRight: () => show(view.from + (view.to - view.from) / 5, view.to + (view.to - view.from) / 5),
	"+": () => zoom(-0.25),
	"-": () => zoom(0.5),
	0: () => show(0, run.length),
	l: latest,
	t: () => setTheme(!document.documentElement.classList.contains("dark")),
	m: () => byId("define").focus(),
};

// Show another run. Metrics that the reader has defined stay, if their events are counted.
function begin(report) {
	const defined = quantities.filter(quantity => quantity.ofReader);

	for (const chart of charts.values()) {
		chart.graph.destroy();
		chart.section.remove();
	}
	charts.clear();
	run = readRun(report);
	quantities = quantitiesOf(run);
	for (const quantity of defined.reverse()) {
		try {
			quantities.unshift({ ...definedOf(run, quantity.defined), shown: quantity.shown, ofReader: true });
		} catch (error) {
			byId("error").textContent = `${quantity.title}: ${error.message}`;
		}
	}
	Object.assign(view, { from: 0, to: run.length, follow: true, span: Infinity });
	describe();
	listLanes();
	listQuantities();
	showTotals();
	if (run.length)
		draw();
}

function listen() {
	document.addEventListener("keydown", event => {
		const typing = event.target.type === "text";

		if (typing || event.ctrlKey || event.altKey || event.metaKey || !keys[event.key] || !run)
			return;
		event.preventDefault();
		keys[event.key]();
	});
	byId("define").addEventListener("keydown", event => {
		if (event.key === "Enter")
			define();
		else if (event.key === "Escape")
			event.target.blur();
	});
	byId("filter").addEventListener("input", () => run && listLanes());
	byId("all").addEventListener("click", () => run && showAll(true));
	byId("none").addEventListener("click", () => run && showAll(false));
	window.addEventListener("resize", () => run && run.length && drawStrip());
}

// The report in the page. One that was changed or damaged has a message, not an empty page.
function showReport(text) {
	try {
		begin(JSON.parse(text));
	} catch (error) {
		run = null;
		byId("title").textContent = "This report cannot be shown: it is damaged, or was not written by pmctrack";
		byId("about").textContent = error.message;
	}
}

document.documentElement.classList.toggle("dark", window.matchMedia("(prefers-color-scheme: dark)").matches);
listen();
if (byId("run").textContent.trim())
	showReport(byId("run").textContent);
else
	followRuns();
