// SPDX-License-Identifier: GPL-2.0
// A page of pmctrack web: the report of a run comes line by line, while the run goes on.
"use strict";

const redrawMs = 500;
// A page with more samples drops the earlier half of them.
const maxSamples = 400000;
const mayControl = location.pathname.startsWith("/control/");

function showState(text, running) {
	byId("live").hidden = false;
	byId("state").textContent = text;
	byId("stop").hidden = !mayControl || running !== true;
	byId("start").hidden = !mayControl || running !== false;
	byId("save").hidden = true;
}

// ---- the text of a report ----
//
// A sample is a line; its end comes with the next one.

function newReading() {
	return { head: [], begun: false, rest: "", tail: null, missed: 0, serverEnded: false };
}

function takeLine(reading, line, samples) {
	if (line === "server ended") {
		reading.serverEnded = true;
	} else if (!reading.begun) {
		reading.head.push(line);
		if (line === '"samples": [') {
			reading.begun = true;
			begin(JSON.parse(`${reading.head.join("\n")}]}`));
			showState("the program runs", true);
		}
	} else if (reading.tail) {
		reading.tail.push(line);
	} else if (line === "],") {
		reading.tail = ["{"];
	} else if (line && line !== ",") {
		try {
			samples.push(JSON.parse(line.replace(/,$/, "")));
		} catch (error) {
			// The server dropped samples that this page had not read yet.
			reading.missed++;
		}
	}
}

// Return: the samples in the text
function takeText(reading, text) {
	const lines = (reading.rest + text).split("\n"), samples = [];

	reading.rest = lines.pop();
	for (const line of lines)
		takeLine(reading, line, samples);
	if (reading.begun && !reading.tail && reading.rest.endsWith("}")) {
		try {
			samples.push(JSON.parse(reading.rest));
			reading.rest = "";
		} catch (error) {
			// Only a part of the line is here.
		}
	}
	return samples;
}

// ---- what is shown ----

let redrawing = 0, newLanes = false;

function redraw() {
	redrawing = 0;
	if (newLanes)
		listLanes();
	newLanes = false;
	describe();
	if (view.follow)
		latest();
	else
		draw();
}

function takeSamples(samples) {
	if (!samples.length)
		return;
	newLanes = addSamples(run, samples) || newLanes;
	if (run.nrSamples > maxSamples) {
		forgetHalf(run);
		newLanes = true;
	}
	redrawing = redrawing || setTimeout(redraw, charts.size ? redrawMs : 0);
}

// The report that the server has is whole: pmctrack report makes a page of it.
function offerReport(number) {
	byId("save").href = `run/${number}`;
	byId("save").hidden = false;
}

function endRun(reading, number) {
	const missed = reading.missed ? "; this page has missed samples" : "";

	if (!reading.begun) {
		showState("the run has ended without a sample", false);
		return;
	}
	if (!reading.tail) {
		showState(`the run has ended without totals${missed}`, false);
		return;
	}
	run.report = { ...run.report, ...JSON.parse(reading.tail.join("\n")) };
	describe();
	showTotals();
	listLanes();
	showState(`the run has ended${missed}`, false);
	offerReport(number);
}

// Return: the number of the next run, or 0 if there will be none
async function followRun(number) {
	const response = await fetch(`run/${number}`), decoder = new TextDecoder(), reading = newReading();

	if (!response.ok)
		throw new Error(`answer ${response.status}`);
	const reader = response.body.getReader();

	for (;;) {
		const { done, value } = await reader.read();

		if (done)
			break;
		takeSamples(takeText(reading, decoder.decode(value, { stream: true })));
	}
	// A later one, if that has begun meanwhile
	const followed = Number(response.headers.get("Run"));

	endRun(reading, followed);
	return reading.serverEnded ? 0 : followed + 1;
}

async function followRuns() {
	let number = 1;

	live = true;
	byId("stop").addEventListener("click", () => fetch("stop", { method: "POST" }));
	byId("start").addEventListener("click", () => fetch("start", { method: "POST" }));
	byId("latest").addEventListener("click", () => run && latest());
	byId("title").textContent = "pmctrack web";
	showState("no sample has come yet", null);
	try {
		while (number)
			number = await followRun(number);
		showState("pmctrack web has ended", null);
	} catch (error) {
		showState(`the connection to pmctrack web is lost (${error.message}): load the page again`, null);
	}
}
