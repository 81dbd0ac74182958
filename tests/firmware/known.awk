# SPDX-License-Identifier: GPL-2.0
#
# Check that the functions of the validation execute the number of instructions in their
# names: straight_512 executes 512 more than nothing().
#
# usage: awk -f known.awk SYMBOLS TRACE
#
# SYMBOLS is the output of nm -S, TRACE that of QEMU with -singlestep -d exec,nochain.

FNR == 1 { file++ }

# All addresses have eight digits, so they can be compared as text.
file == 1 && $4 ~ /_[0-9]+$|^nothing$/ {
	functions[++nr] = $4
	begin[nr] = $1
	size[nr] = $2
}

function number(hex,	i, n) {
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}

file == 2 && /^Trace / {
	split($0, column, "/")
	at = column[2]
	if (last && number(at) > first && number(at) < last) {
		executed[now]++
		next
	}
	last = 0
	for (i = 1; i <= nr; i++) {
		if (at == begin[i]) {
			now = functions[i]
			first = number(at)
			last = first + number(size[i])
			calls[now]++
			executed[now]++
		}
	}
}

END {
	for (i = 1; i <= nr; i++) {
		known = functions[i]
		if (!sub(/.*_/, "", known))
			known = 0
		if (calls["nothing"])
			known += executed["nothing"] / calls["nothing"]
		if (!calls[functions[i]] || executed[functions[i]] != calls[functions[i]] * known) {
			printf "%s: %d instructions in %d calls\n", functions[i],
				executed[functions[i]], calls[functions[i]]
			wrong = 1
		}
	}
	if (nr < 6) {
		print "only " nr - 1 " functions that say how many instructions they have"
		wrong = 1
	}
	exit wrong
}
