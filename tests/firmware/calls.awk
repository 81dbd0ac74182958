# SPDX-License-Identifier: GPL-2.0
#
# The cost of each call, and the part of it that is counted.
#
# usage: awk -f calls.awk DISASSEMBLY TRACE
#
# DISASSEMBLY is the output of objdump -d, TRACE that of QEMU for calls.elf with -singlestep
# -d exec,nochain: a line for each instruction. With strict=yes it is an error if more is
# counted than documented.
#
# A call's instructions are those from the call instruction to its return; accesses of
# registers are mfcr, mtcr and isync.
#
# The counted instructions are those between the MTCR by which a call starts the counters and
# the MTCR by which the next call stops them, the next call's arguments included. For bare
# access they are the instructions between its own two MTCR.

BEGIN {
	pass = 0
	split("high_one high_derived high_three low_one low_derived low_three rates", phases)
	title["high_one"] = "ePAPI_..._counters, one event"
	title["high_derived"] = "  one of several counters"
	title["high_three"] = "  three events"
	title["low_one"] = "ePAPI_..., one event"
	title["low_derived"] = "  one of several counters"
	title["low_three"] = "  three events"
	title["rates"] = "ePAPI_ipc"
	limit["high_one"] = limit["high_derived"] = 12
	limit["low_one"] = limit["low_derived"] = 12
	limit["high_three"] = limit["low_three"] = limit["rates"] = 20
	columns = split("start,read read,read accum,accum accum,stop", steps)
}
FNR == 1 { file++ }

file == 1 && /^[0-9a-f]+ <.*>:$/ {
	name = $2
	gsub(/[<>:]/, "", name)
	if (name ~ /^ePAPI_|^epapi_task_(save|restore)$/)
		calls[$1] = name
	if (sub(/^phase_/, "", name))
		begins[$1] = name
	if (name == "pass_ends")
		end_of_pass = $1
}

file == 1 && /^ *[0-9a-f]+:\t/ {
	split($0, column, "\t")
	here = $1
	sub(/:$/, "", here)
	split(column[2], bytes, " ")
	size[here] = bytes[4] == "" ? 2 : 4
	split(column[3], word, " ")
	access[here] = word[1] ~ /^(mfcr|mtcr|isync)$/
	control[here] = column[3] ~ /^mtcr[ \t]+\$?(cctrl|0xfc00|64512)[ ,]/
}

# address + n, both in hexadecimal; n is small
function plus(address, n,	i, digits, sum, out) {
	digits = "0123456789abcdef"
	for (i = length(address); i > 0; i--) {
		sum = index(digits, substr(address, i, 1)) - 1 + n
		out = substr(digits, sum % 16 + 1, 1) out
		n = int(sum / 16)
	}
	return out
}

function short(name) {
	sub(/^ePAPI_/, "", name)
	sub(/_counters$/, "", name)
	return name
}

# A write of the counters' control: the first one in a call stops the counters, the previous
# one started them.
function written(	step) {
	if (phase == "bare" && ++bare_writes == 3)
		bare = done - ran - 1
	if (inside != "" && !stopped) {
		step = short(last) "," short(inside)
		if (step == "ipc,ipc")
			step = "read,read"
		if (step == "ipc,stop")
			step = "accum,stop"
		if (!((phase, step) in counted) || counted[phase, step] < done - ran - 1)
			counted[phase, step] = done - ran - 1
	}
	stopped = 1
	ran = done
}

file == 2 && /^Trace / {
	split($0, column, "/")
	at = column[2]
	done++
	if (inside != "" && at == back) {
		if (phase == "") {
			count[pass, inside] = n
			accesses[pass, inside] = m
		}
		last = inside
		inside = ""
	}
	if (at in begins)
		phase = begins[at]
	if (inside == "" && at in calls) {
		inside = calls[at]
		back = plus(before, size[before])
		stopped = 0
		n = 1		# the call
		m = 0
		if (!(inside in seen)) {
			seen[inside] = ++rows
			order[rows] = inside
		}
	}
	if (inside != "") {
		n++
		m += access[at]
	}
	if (control[at])
		written()
	if (at == end_of_pass)
		pass++
	before = at
}

END {
	if (pass != 2 || phase != "rates" || !bare) {
		print "calls: the image did not come to its end" >"/dev/stderr"
		exit 1
	}
	print "instructions                  one event              three events"
	print "                              all  registers  rest   all  registers  rest"
	for (i = 1; i <= rows; i++) {
		name = order[i]
		printf "%-26s %6d %10d %5d %5d %10d %5d\n", name,
			count[0, name], accesses[0, name], count[0, name] - accesses[0, name],
			count[1, name], accesses[1, name], count[1, name] - accesses[1, name]
	}
	printf "\ninstructions counted from one call to the next, beyond bare access (%d)\n", bare
	print "                              start,read  read,read  accum,accum    ,stop"
	for (i = 1; i in phases; i++) {
		phase = phases[i]
		line = sprintf("%-29s", title[phase])
		for (k = 1; k <= columns; k++) {
			if (!((phase, steps[k]) in counted)) {
				line = line sprintf(" %10s", "")
				continue
			}
			over = counted[phase, steps[k]] - bare
			line = line sprintf(" %10d", over)
			if (over > limit[phase] && steps[k] !~ /stop/)
				broken = broken title[phase] ", " steps[k] ": at most " limit[phase] " are promised\n"
		}
		print line
	}
	printf "%s", broken
	exit strict && broken != ""
}
