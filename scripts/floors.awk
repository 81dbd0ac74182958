# SPDX-License-Identifier: GPL-2.0
# What scripts/floors does with text: it gives this one file after another, and says with
# `what=` what each is, and with `arch=` of which architecture the symbols are.
#
#   files     names of all source files
#   includes  "file:#include ..." of all of them
#   symbols   the output of nm -A on all objects of one architecture
#   library   the same of a library, of which only circles are looked for
#
# `floors` are the folders of kmod/ that are floors, lowest first. Prints the arrows that run
# upwards into the file `arrows`, numbers to the standard output, and mistakes to the standard
# error. Exits with 1 if there are mistakes.

function complain(text) {
	print text >"/dev/stderr"
	bad = 1
}

# path("engine/", "../pmu/pmu.h") is pmu/pmu.h
function path(folder, name) {
	name = folder name
	while (sub(/[^\/]+\/\.\.\//, "", name))
		;
	return name
}

# The number of a file's floor: that of its first folder. What other modules and user space
# include is on the lowest floor; main.c knows all others.
function floor_of(file) {
	if (file ~ /^(include|uapi)\//)
		return 1
	if (file == "main.c")
		return nr_floors + 1
	sub(/\/.*/, "", file)
	return number[file]
}

function arrow(from, to, by) {
	if (floor_of(from) < floor_of(to))
		up[from " " to " " by] = 1
}

BEGIN {
	nr_floors = split(floors, name_of)
	for (i = 1; i <= nr_floors; i++)
		number[name_of[i]] = i
}

what == "files" {
	exists[$1] = 1
	if (!floor_of($1))
		complain("kmod/" $1 " is on no floor: these are " floors)
}

what == "includes" {
	from = $0
	sub(/:.*/, "", from)
	name = $0
	sub(/^[^"<]*["<]/, "", name)
	sub(/[">].*/, "", name)
	folder = from
	sub(/[^\/]*$/, "", folder)
	if (path(folder, name) in exists)
		arrow(from, path(folder, name), "include")
	else if (name in exists)
		arrow(from, name, "include")
}

# "engine/ring.o:0000000000000010 T pmc_ring_put", or "engine/record_sample.o:              U pmc_ring_put"
what == "symbols" || what == "library" {
	object = $0
	sub(/:.*/, "", object)
	sub(/\.o$/, what == "library" ? "" : ".c", object)
	if (what != "library" && !(object in exists))
		next
	objects[arch, object] = 1
	if ($(NF - 1) ~ /U$/)
		uses[arch, object, $NF] = 1
	else
		definer[arch, $NF] = object
}

# Tarjan's strongly connected components of one architecture's objects
function visit(file, n, i, to, nr, size) {
	order[file] = low[file] = ++clock
	stack[++height] = file
	on_stack[file] = 1
	n = split(calls[file], to, " ")
	for (i = 1; i <= n; i++) {
		if (!(to[i] in order)) {
			visit(to[i])
			if (low[to[i]] < low[file])
				low[file] = low[to[i]]
		} else if ((to[i] in on_stack) && order[to[i]] < low[file]) {
			low[file] = order[to[i]]
		}
	}
	if (low[file] != order[file])
		return
	nr = ++circles
	names[nr] = ""
	do {
		to[0] = stack[height--]
		delete on_stack[to[0]]
		names[nr] = names[nr] " " to[0]
		size++
	} while (to[0] != file)
	sizes[nr] = size
}

function find_circles(wanted, key, part, list, i, j, total) {
	split("", calls); split("", order); split("", low); split("", on_stack)
	split("", sizes); split("", names)
	circles = height = clock = 0
	for (key in uses) {
		split(key, part, SUBSEP)
		if (part[1] != wanted || !((wanted, part[3]) in definer))
			continue
		if (definer[wanted, part[3]] != part[2])
			calls[part[2]] = calls[part[2]] " " definer[wanted, part[3]]
	}
	for (key in objects) {
		split(key, part, SUBSEP)
		if (part[1] != wanted)
			continue
		total++
		if (!(part[2] in order))
			visit(part[2])
	}
	# Largest first.
	for (i = 1; i <= circles; i++)
		for (j = i + 1; j <= circles; j++)
			if (sizes[j] > sizes[i]) {
				key = sizes[i]; sizes[i] = sizes[j]; sizes[j] = key
				key = names[i]; names[i] = names[j]; names[j] = key
			}
	list = ""
	for (i = 1; i <= circles && sizes[i] > 1; i++) {
		if (i > 1)
			list = list (i > 2 ? ", " : "then ") sizes[i]
		# A circle of the module is a failure.
		if (show || wanted !~ /^libpmc/)
			print wanted ", circle of " sizes[i] ":" names[i]
	}
	printf "circles (%s)\t%d\tof %d objects%s\n", wanted, (sizes[1] > 1 ? sizes[1] : 0), total,
		(list == "" ? "" : "; " list)
}

function count_arrows(key, part, pairs, functions, nr_pairs, nr_functions, nr_includes) {
	for (key in up) {
		print key >arrows
		split(key, part, " ")
		if (part[3] == "include") {
			nr_includes++
			continue
		}
		if (!((part[1] " " part[2]) in pairs))
			nr_pairs++
		pairs[part[1] " " part[2]] = 1
		if (!(part[3] in functions))
			nr_functions++
		functions[part[3]] = 1
	}
	printf "" >arrows
	printf "arrows up\t%d\tpairs of files (%d symbols); %d includes\n", nr_pairs, nr_functions, nr_includes
}

END {
	if (bad)
		exit 1
	for (key in uses) {
		split(key, part, SUBSEP)
		if (part[1] !~ /^libpmc/ && ((part[1], part[3]) in definer))
			arrow(part[2], definer[part[1], part[3]], part[3])
	}
	count_arrows()
	n = split(archs, list, " ")
	for (i = 1; i <= n; i++)
		find_circles(list[i])
}
