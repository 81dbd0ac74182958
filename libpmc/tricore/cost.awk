# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What ePAPI_read_counters and ePAPI_accum_counters cost when they read one
# counter, from the disassembly (objdump -d) of a program with libepapi.a in it.
#
# For each counter all ways through its function are followed; those that count
# are the ones on which it accesses the registers and returns. The last branch of
# ePAPI_..._counters goes to that function; the call itself is counted, too. With
# strict=yes it is an error if there is more overhead than promised.
#
# A program that reads a counter without ePAPI needs the same accesses, and a 0
# to write: mov, mfcr CCTRL, mtcr CCTRL, isync, mfcr counter, mtcr counter, mtcr
# CCTRL, isync. What is more than that is overhead.

BEGIN {
	bare = 8
	accesses = 7
	limit = 12
	split("cycles instructions m1 m2 m3", counters)
}

/^[0-9a-f]+ <.*>:$/ {
	name = $2
	gsub(/[<>:]/, "", name)
	if (previous != "")
		after[previous] = ""
	previous = ""
	first[name] = $1
	sub(/^0+/, "", first[name])
	next
}

# address: bytes, then the instruction behind a tab
/^ *[0-9a-f]+:\t/ {
	split($0, column, "\t")
	here = $1
	sub(/:$/, "", here)
	text = column[3]
	split(text, word, " ")
	kind[here] = word[1]
	target[here] = ""
	if (match(text, /[0-9a-f]+ <[^>]*>/)) {
		split(substr(text, RSTART, RLENGTH), word, " ")
		target[here] = word[1]
	}
	if (previous != "")
		after[previous] = here
	previous = here
}

# The longest of the ways from an instruction to a return with all accesses, in
# instructions; 0 if there is none.
function longest(at, done, regs,	k, a, b) {
	if (at == "" || !(at in kind) || done > 100)
		return 0
	k = kind[at]
	done++
	if (k ~ /^(mfcr|mtcr|isync)$/)
		regs++
	if (k == "ret")
		return regs == accesses ? done : 0
	if (k == "j")
		return longest(target[at], done, regs)
	if (k ~ /^(call|ji|calli|loop)/)
		return 0
	a = longest(after[at], done, regs)
	b = k ~ /^j/ ? longest(target[at], done, regs) : 0
	return a > b ? a : b
}

# Instructions of a call that are not in the counter's own function: up to the
# branch to it, and what follows if that returns.
function entry(name,	at, done) {
	done = 1
	for (at = first[name]; at != "" && done < 20; at = after[at]) {
		done++
		if (kind[at] == "ji" || kind[at] == "ret" && called)
			return done
		if (kind[at] == "calli")
			called = 1
	}
	return 0
}

function row(call, what,	i, n, over, head) {
	called = 0
	head = entry("ePAPI_" call "_counters")
	for (i = 1; i in counters; i++) {
		n = longest(first[what "_" counters[i]], 0, 0)
		if (!head || !n) {
			print "ePAPI_" call "_counters: not built in a way that can be followed here"
			broken = 1
			return
		}
		over = head + n - bare
		printf "ePAPI_%s_counters, one event on %-13s %2d instructions, %d of them bare access: overhead %d\n",
			call, counters[i] ":", head + n, bare, over
		if (over > limit) {
			print "more than the " limit " promised"
			broken = 1
		}
	}
}

END {
	row("read", "read")
	row("accum", "accum")
	exit strict && broken
}
