# SPDX-License-Identifier: GPL-2.0
#
# What each call costs: awk -f calls.awk DISASSEMBLY TRACE, where the first is
# from objdump -d and the second what QEMU says about calls.elf with -singlestep
# -d exec,nochain: a line for each instruction.
#
# A call's instructions are those from the one that calls it to its return;
# accesses of registers are mfcr, mtcr and isync.

BEGIN { pass = 0 }
FNR == 1 { file++ }

file == 1 && /^[0-9a-f]+ <.*>:$/ {
	name = $2
	gsub(/[<>:]/, "", name)
	if (name ~ /^ePAPI_|^epapi_task_(save|restore)$/)
		calls[$1] = name
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

file == 2 && /^Trace / {
	split($0, column, "/")
	at = column[2]
	if (inside != "" && at == back) {
		count[pass, inside] = n
		accesses[pass, inside] = m
		inside = ""
	}
	if (inside == "" && at in calls) {
		inside = calls[at]
		back = plus(before, size[before])
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
	if (at == end_of_pass)
		pass++
	before = at
}

END {
	if (pass != 2) {
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
}
