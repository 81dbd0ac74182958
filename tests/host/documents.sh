#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The code that documents show compiles: the library's example in README.md, and the output
# format in docs/extending.md. The recipe for HPL in docs/node.md suits HPL's own settings. Examples of
# shell commands do what their documents say.
# (scripts/prose checks links, paths and names of functions.)

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() { echo "$*"; failed=1; }

# code FILE PATTERN [LANGUAGE]: the block of C of a document that has PATTERN in it
code() {
	awk -v pattern="$2" -v language="${3-c}" '$0 == "```" language { block = ""; code = 1; next }
		/^```$/ { if (code && block ~ pattern) printf "%s", block; code = 0 }
		code { block = block $0 "\n" }' "$1"
}

# compiles FILE PATTERN [DECLARATIONS]
compiles() {
	{ printf '%s\n' "${3-}"; code "$1" "$2"; } >"$work/code.c"
	grep -q "$2" "$work/code.c" || complain "$1: no code with $2"
	gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -Ilibpmc/include \
		-Ipmctrack-cli/src "$work/code.c" 2>"$work/log" || complain "$1: $(cat "$work/log")"
}

compiles README.md pmc_region_begin '#include <stdio.h>
void solve(void);
void measured(void);'
compiles docs/extending.md 'struct report_ops report_tsv'

# As HPL comes with it, up to the last line that has a number of values
cat >"$work/HPL.dat" <<'END'
HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
6            device out (6=stdout,7=stderr,file)
4            # of problems sizes (N)
29 30 34 35  Ns
4            # of NBs
1 2 3 4      NBs
0            PMAP process mapping (0=Row-,1=Column-major)
3            # of process grids (P x Q)
2 1 4        Ps
2 4 1        Qs
16.0         threshold
3            # of panel fact
0 1 2        PFACTs (0=left, 1=Crout, 2=Right)
2            # of recursive stopping criterium
2 4          NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
3            # of recursive panel fact.
0 1 2        RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
0            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
0            DEPTHs (>=0)
END

# In place of pmctrack: a line for each run, with what HPL would read
mkdir "$work/bin"
cat >"$work/bin/pmctrack" <<'SCRIPT'
#!/bin/sh
[ "$2" != --summary ] || exit 0
awk -v n=5,6,7,8,10,11,10,12,14,15,16,17,18,19,20,21,22,23,24,25 '{ all[NR] = $0 }
	END {
		for (i = 1; i < split(n, lines, ","); i += 2) {
			split(all[lines[i]], number)
			split(all[lines[i + 1]], values)
			for (k = 1; k <= number[1]; k++)
				printf "%s%s", values[k], k < number[1] ? "," : " "
		}
		print ""
	}' HPL.dat >>runs
SCRIPT
chmod +x "$work/bin/pmctrack"
code docs/node.md HPL.dat sh >"$work/recipe"
(cd "$work" && PATH=$work/bin:$PATH sh -e recipe) || complain "docs/node.md: the recipe for HPL fails"
awk '$1 > 0 && $1 % $2 == 0 && !seen[$1 " " $2]++ { $1 = $2 = ""; if ($0 == "  1 1 0 2 2 0 0 0") good++ }
	END { exit NR != 16 || good != 16 }' "$work/runs" ||
	complain "docs/node.md: not N and NB of one HPL each: $(cat "$work/runs")"

# The pages of manuals, and the blocks of code of other documents: a remark behind a command begins
# with #, as echo would print it otherwise. A monitoring module is loaded before it is activated.
while read -r file; do
	awk -v page="${file##*.}" 'page != "md" { print; next } /^```/ { code = !code } code' "$file" >"$work/code"
	remark=$(grep -E '> ?/proc/pmc/[a-z_]+ +[^# ]' "$work/code")
	[ ! "$remark" ] || complain "$file: a remark is an argument of echo: $remark"
	name=$(awk '{ sub(/.*modprobe pmc_/, "&\n"); split($0, part, "\n"); sub(/[^a-z_$].*/, "", part[2]); loaded[part[2]] }
		match($0, /echo activate [a-z_$]+/) {
			name = substr($0, RSTART + 14, RLENGTH - 14)
			if (!(name in loaded)) print name
		}' "$work/code")
	[ ! "$name" ] || complain "$file: not loaded before it is activated: $name"
done < <(find . -path ./.git -prune -o \( -name '*.md' -o -name '*.[1-9]' \) -type f -print)

# In docs/install.md, commands are those of a user with sudo. make install installs none of the optional
# packages.
! grep -n '> /proc/pmc/' docs/install.md || complain "docs/install.md: only root can write there"
optional=$(sed -n '/^### Optional packages/,/^##* [^O]/s/^| \(`[^|]*\) |.*/\1/p' docs/install.md | tr -d '`,')
[ "$optional" ] || complain "docs/install.md: no optional packages"
installed=" $(scripts/deps --list build modules) "
for package in $optional; do
	[[ $installed != *" $package "* ]] || complain "docs/install.md: $package is installed, and not optional"
done
exit $failed
