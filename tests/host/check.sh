#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/prose, scripts/floors and scripts/check find what they look for, in a small tree of their own.

cd "$(dirname "$0")/../.." || exit
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
complain() {
	echo "$*"
	failures=$((failures + 1))
}

# expect WHAT GOT WANTED
expect() { [ "$2" = "$3" ] || complain "$1: $(diff <(echo "$3") <(echo "$2"))"; }

# ---- prose ----

mkdir -p "$tree"/{scripts,docs,src}
cp scripts/{prose,lib.sh} "$tree/scripts/"
git init -q "$tree"
# a word that is there once, one that may be there once more, one that has grown
printf '%s\n' '1 alpha' '2 beta betas?' '0 gamma gamma|gammas' >"$tree/scripts/words"
echo 'int known(int my_alpha); /* a beta, an alphabet */' >"$tree/src/a.c"
# Code of a script is not counted, but its comments are.
printf '%s\n' 'gamma=1' '# gammas' >"$tree/scripts/other"
long=$(printf 'word %.0s' {1..25})
cat >"$tree/docs/one.md" <<EOF
# One: \`head\`

[good](two.md) [good](two.md#the-second-one) [good](#one-head) [good](https://no.example/x.md) [good](../src)
[bad](three.md)
[bad](two.md#third)
\`src/a.c\` \`src/NAME.c\` \`src/{a,b}.c\` \`/proc/x\` \`else/where.c\` \`known()\` \`unknown()\`
$long
| $long |

\`\`\`
$long [code](nothing.md)
\`\`\`
EOF
printf '# Two\n\n## The second one\n' >"$tree/docs/two.md"
yes line | head -n 61 >"$tree/docs/README.md"
# One row of figures that the other document has, and one whose last figure is another one
printf '%s\n' '| | here | perf |' '| good | 1 000 / 2 | 3 / 4 000 |' '| bad | 1 / 2 | 3 / 5 |' >"$tree/README.md"
printf '%s\n' '| good | 1 | 1 000 | 3 | 2 | 9 | 9 | 4 000 |' '| bad | 4 | 1 | 3 | 2 | 9 | 9 | 4 |' \
	>"$tree/docs/accuracy-and-cost.md"
prose() { PMCTRACK_CACHE=$tree/cache "$tree/scripts/prose" "$@" 2>&1; }

out=$(prose)
expect "prose: status" $? 1
expect prose "$(sort <<<"$out")" "$(sort <<'EOF'
docs/one.md:4: a link to three.md, which is not there
docs/one.md:5: a link to #third, and docs/two.md has no such heading
docs/one.md:6: `src/b.c`, which is not there
docs/one.md:6: `unknown()`, which no source has
docs/one.md:7: above 120 columns
docs/README.md: 61 lines, above 60
README.md: 1 / 2, 3 / 5: no row of docs/accuracy-and-cost.md has these
'gamma' is on 1 lines, and was on 0: say it otherwise (scripts/prose --words gamma)
EOF
)"
expect "prose --words" "$(prose --words gamma)" "scripts/other:2:# gammas"
prose --accept >/dev/null
expect "prose --accept" "$(cat "$tree/scripts/words")" $'1 alpha\n1 beta betas?\n0 gamma gamma|gammas'

# ---- floors ----

# floors: what scripts/floors.awk prints and complains of
floors() {
	awk -v archs=amd64 -v arrows="$tree/arrows" -v floors="low high" -f scripts/floors.awk \
		what=files "$tree/files" what=includes "$tree/includes" what=symbols arch=amd64 "$tree/symbols" 2>&1
}
printf '%s\n' low/low.c low/low.h low/x/leaf.c high/high.c high/high.h include/api.h main.c >"$tree/files"
printf '%s\n' 'low/low.c:#include "../high/high.h"' 'high/high.c:#include "low/low.h"' 'low/low.c:#include <linux/x.h>' \
	'low/low.c:#include "include/api.h"' 'include/api.h:#include "../high/high.h"' 'main.c:#include "high/high.h"' \
	>"$tree/includes"
cat >"$tree/symbols" <<'EOF'
low/low.o:0000000000000000 T low
low/low.o:                 U high
low/low.o:                 U printk
low/x/leaf.o:              U start
high/high.o:0000000000000000 D high
high/high.o:                 U low
main.o:0000000000000000 T start
EOF
out=$(floors) || complain "floors: status $?"
expect "floors: arrows" "$(sort "$tree/arrows")" $'include/api.h high/high.h include
low/low.c high/high.c high
low/low.c high/high.h include
low/x/leaf.c main.c start'
grep -q '^amd64, circle of 2: .*low/low.c' <<<"$out" || complain "floors: no circle: $out"
echo other/new.c >>"$tree/files"
expect "floors: no floor" "$(floors)" "kmod/other/new.c is on no floor: these are low high"

# ---- check pipes ----

cp scripts/check "$tree/scripts/"
{
	printf '%s\n' 'set -euo pipefail' 'seq 9 | sort | head -n 3' 'seq 9 | grep -qF 3' 'seq 9 | grep -m1 3' \
		'seq 9 | sed 3q' '# seq 9 | head' 'seq 9 | sed -n 3p' 'seq 9 | grep 3 >/dev/null' 'grep -q 3 file'
} >"$tree/scripts/early"
printf '%s\n' 'seq 9 | head' >"$tree/scripts/no-pipefail"
git -C "$tree" add scripts
out=$(PMCTRACK_CACHE=$tree/cache "$tree/scripts/check" pipes 2>&1) && complain "check pipes: passes"
expect "check pipes" "$(sed -n 's/^scripts\/\(early:[0-9]*\):.*/\1/p' <<<"$out")" $'early:2\nearly:3\nearly:4\nearly:5'

[ $failures -eq 0 ]
