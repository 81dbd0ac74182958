// SPDX-License-Identifier: GPL-2.0
// Metrics that are defined in the page: NAME=FORMULA, as pmctrack -m has them, of numbers, names of
// events, + - * / and parentheses. The time that the counters were loaded is ns.
"use strict";

const formulaToken = /\s*(?:(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)|([A-Za-z_][\w.:]*)|([-+*/()]))/y;

function formulaTokens(text) {
	const tokens = [];

	formulaToken.lastIndex = 0;
	while (formulaToken.lastIndex < text.trimEnd().length) {
		const at = formulaToken.lastIndex, match = formulaToken.exec(text);

		if (!match)
			throw new Error(`"${text.slice(at).trim()}" is neither a number, a name nor one of + - * / ( )`);
		tokens.push({ number: match[1], name: match[2], sign: match[3] });
	}
	return tokens;
}

// Return { names, value }: value(numbers) has a number for each of the names.
function parseFormula(text, known) {
	const tokens = formulaTokens(text), names = [];
	let at = 0;

	const next = sign => tokens[at] && tokens[at].sign === sign && ++at;

	function factor() {
		const token = tokens[at++];

		if (!token)
			throw new Error("the formula ends where a value is expected");
		if (token.number !== undefined) {
			const number = Number(token.number);

			return () => number;
		}
		if (token.name !== undefined) {
			if (!known.includes(token.name))
				throw new Error(`"${token.name}" was not counted; there are ${known.join(", ")}`);
			if (!names.includes(token.name))
				names.push(token.name);
			const index = names.indexOf(token.name);

			return numbers => numbers[index];
		}
		if (token.sign === "-") {
			const inner = factor();

			return numbers => -inner(numbers);
		}
		if (token.sign !== "(")
			throw new Error(`a value is expected, not "${token.sign}"`);
		const inner = sum();

		if (!next(")"))
			throw new Error("a parenthesis is not closed");
		return inner;
	}

	// One value after the other, with one of these signs between
	function chain(operand, operations) {
		let left = operand();

		for (;;) {
			const a = left, sign = Object.keys(operations).find(next);

			if (!sign)
				return left;
			const b = operand();

			left = numbers => operations[sign](a(numbers), b(numbers));
		}
	}

	function product() {
		return chain(factor, { "*": (a, b) => a * b, "/": (a, b) => a / b });
	}

	function sum() {
		return chain(product, { "+": (a, b) => a + b, "-": (a, b) => a - b });
	}

	const value = sum();

	if (at < tokens.length)
		throw new Error("there is something behind the end of the formula");
	return { names, value };
}
