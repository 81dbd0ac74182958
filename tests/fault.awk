# SPDX-License-Identifier: GPL-2.0
# Two things that tests/run-mutants does with text.
#
#   awk -v out=FOLDER -f tests/fault.awk LIST...
#	checks the lists and writes to FOLDER/NUMBER for each fault, which is there: a file for
#	each thing that is said of the fault: name, file, changes, tests, survives, nightly
#
#   awk -v changes=FILE -f tests/fault.awk SOURCE
#	prints the source with the fault in
#
# changes has the lines of the list that begin with "in ", "-" and "+", as they are.

function complain(text) {
	print text >"/dev/stderr"
	bad = 1
}

function trim(text) {
	gsub(/^[ \t]+|[ \t]+$/, "", text)
	return text
}

# ---- lists ----

function say(what, text) {
	print text >>(folder "/" what)
	close(folder "/" what)
}

function end_fault() {
	if (name == "")
		return
	if (!("file" in said))
		complain(name ": no file")
	if (!("-" in said))
		complain(name ": no line to change")
	if (!("tests" in said))
		complain(name ": no tests")
	name = ""
}

function begin_fault(new_name) {
	end_fault()
	split("", said)
	last_key = ""
	name = area "/" new_name
	if (name in known)
		complain(name ": twice")
	known[name] = 1
	folder = sprintf("%s/%04d", out, ++faults)
	say("name", name)
}

out != "" && FNR == 1 {
	end_fault()
	area = FILENAME
	sub(/.*\//, "", area)
}

out != "" {
	key = $1
	if (/^(#|$)/) {
		next
	} else if (/^\[[a-z0-9_-]+\]$/) {
		begin_fault(substr($0, 2, length($0) - 2))
	} else if (name != "" && /^([-+]|in .)/) {
		said[substr($0, 1, 1)] = 1
		say("changes", $0)
	} else if (name != "" && key ~ /^(file|tests|survives|nightly)$/ && NF > 1 && !(key in said)) {
		said[key] = 1
		say(key, trim(substr($0, length(key) + 1)))
		last_key = key
	} else if (name != "" && /^\t/ && last_key ~ /^(survives|nightly)$/) {
		say(last_key, trim($0))
	} else {
		complain(FILENAME ":" FNR ": what does this say? " $0)
	}
	next
}

# ---- a source ----

{ line[++nr] = $0 }

# Sets first and last to the lines of a function, or of a table, by its name.
function find_function(function_name,  i, j) {
	first = 1
	last = nr
	if (function_name == "")
		return
	for (i = 1; i <= nr; i++) {
		if (line[i] !~ "^([A-Za-z_].*[ *])?" function_name "[[(]")
			continue
		for (j = i; j < nr && line[j] !~ /[;{]$/; j++)
			;
		if (line[j] !~ /[{]$/)
			continue
		first = i
		for (last = j; last < nr && line[last] !~ /^}/; last++)
			;
		return
	}
	complain("no " function_name " in it")
}

# Puts the lines new[] in the place of those that are old[] but for blanks at the ends.
function change(  i, j, found, at, kept) {
	find_function(within)
	for (i = first; i + olds - 1 <= last; i++) {
		for (j = 1; j <= olds && trim(line[i + j - 1]) == trim(old[j]); j++)
			;
		if (j > olds) {
			found++
			at = i
		}
	}
	if (found != 1) {
		complain((found ? "there more than once: " : "not there: ") trim(old[1]))
		return
	}
	kept = 0
	for (i = 1; i < at; i++)
		after[++kept] = line[i]
	for (j = 1; j <= news; j++)
		after[++kept] = new[j]
	for (i = at + olds; i <= nr; i++)
		after[++kept] = line[i]
	nr = kept
	for (i = 1; i <= nr; i++)
		line[i] = after[i]
}

function change_and_forget() {
	if (olds)
		change()
	olds = news = 0
	within = ""
}

END {
	if (out != "") {
		end_fault()
		exit bad
	}
	while ((getline text <changes) > 0) {
		if (text ~ /^in / || (text ~ /^-/ && news))
			change_and_forget()
		if (text ~ /^in /)
			within = substr(text, 4)
		else if (text ~ /^-/)
			old[++olds] = substr(text, 2)
		else
			new[++news] = substr(text, 2)
	}
	change_and_forget()
	if (bad)
		exit 1
	for (i = 1; i <= nr; i++)
		print line[i]
}
