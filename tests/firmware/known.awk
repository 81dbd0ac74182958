# SPDX-License-Identifier: GPL-2.0
#
# Do the functions of the validation execute as many instructions as they say? awk -f
# known.awk SYMBOLS TRACE, where the first is from nm -S and the second what QEMU says
# with -singlestep -d exec,nochain. straight_512 has 512 of them more than nothing().

FNR == 1 { file++ }

# Addresses have eight digits each: they compare as text.
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
