# SPDX-License-Identifier: GPL-2.0
#
# From perf's JSON (tools/perf/pmu-events of Linux, or a vendor's own lists in that form) to
# lines of an event table. Run with -rn on any number of files, which are in folders with the
# names of models; perfmon's have their events in an object. $std: the events that others refer to by ArchStdEvent, or [].
#
# One line an event or metric, with a tab between fields: model, kind of core or -, key to
# sort by, and then the line of the table itself (docs/events.md has its form). Events of
# counters outside the cores are left out.

# A field must not have what separates fields and lines.
def field: tostring | gsub("[\\t\\r\\n]+"; " ") | gsub("^ +| +$"; "");

# Numbers are "0x1f", "31" or 31, in any case.
def number:
	tostring | ascii_downcase |
	if startswith("0x") then
		reduce (.[2:] | explode[]) as $c (0; . * 16 + (if $c > 57 then $c - 87 else $c - 48 end))
	else tonumber end;

def nonzero($name; $key): if ($name // "0" | number) == 0 then empty else "\($key)=\($name | ascii_downcase)" end;
def flag($name; $key): if ($name // "0" | number) == 0 then empty else $key end;

# "0,1,2,3" -> 0-3, "Fixed counter 1" -> fixed1
def ranges:
	[splits(", *") | tonumber] | sort | reduce .[] as $n ([];
		if length > 0 and .[-1][1] == $n - 1 then .[-1][1] = $n else . + [[$n, $n]] end) |
	map(if .[0] == .[1] then "\(.[0])" else "\(.[0])-\(.[1])" end) | join("+");
def counters:
	if test("^[0-9]+(, *[0-9]+)*$") then "counters=" + ranges
	elif test("^Fixed counter [0-9]+$") then "counters=fixed" + .[14:]
	else empty end;

# The events of these names may be counted by general counters, too; perf encodes them so.
def general:
	{ "inst_retired.any": "0xc0", "inst_retired.any_p": "0xc0", "cpu_clk_unhalted.thread": "0x3c",
	  "cpu_clk_unhalted.core": "0x3c", "cpu_clk_unhalted.thread_any": "0x3c:any",
	  "cpu_clk_unhalted.ref": "0x00:umask=0x03" }[.EventName | ascii_downcase];

def hex:
	if . < 16 then "0123456789abcdef"[.:. + 1] else (. / 16 | floor | hex) + (. % 16 | hex) end;
def byte: "0x" + (hex | if length < 2 then "0" + . else . end);

# Events of Arm have no unit mask.
def code:
	if .EventCode then .EventCode | split(",")[0] | number | byte
	elif .ConfigCode then .ConfigCode | number | byte
	else "0x00" end;
def encoding:
	general // ([code,
		(if .UMask then "umask=" + (.UMask | number | byte) else empty end),
		(if (.CounterMask // "0" | number) > 0 then "cmask=" + (.CounterMask | number | byte) else empty end),
		flag(.Invert; "inv"), flag(.EdgeDetect; "edge"), flag(.AnyThread; "any"),
		(if .MSRIndex then nonzero(.MSRValue; "extra") else empty end)] | join(":"));

# A list in other words of the name says nothing.
def description:
	(.BriefDescription // "") as $brief |
	(if $brief == "" or $brief == .EventName then .PublicDescription // $brief else $brief end) |
	field | sub("[. ]+$"; "");

def sort_key: ascii_downcase | gsub(":"; ".");

def event:
	["event", .EventName, ([encoding, (.Counter // "" | counters), flag(.Deprecated; "deprecated")] | join(":")),
	 description] | map(field);
def metric:
	["metric", .MetricName, .ScaleUnit // "", .MetricExpr, .MetricGroup // "", .MetricThreshold // "",
	 description] | map(field);

($std | map({ key: (.EventName // .MetricName | ascii_downcase), value: . }) | from_entries) as $standard |
inputs | (input_filename | split("/")[:-1] | last // "-") as $model |
(if type == "object" then .Events else . end) | select(type == "array") | .[] | select(type == "object") |
(if .ArchStdEvent then ($standard[.ArchStdEvent | ascii_downcase] // error("no event \(.ArchStdEvent)")) + . else . end) |
(.Unit // "-") as $kind |
select($kind | . == "-" or startswith("cpu_")) |
(if .EventName then event else empty end), (if .MetricName and .MetricExpr then metric else empty end) |
[$model, $kind, .[0] + " " + (.[1] | sort_key)] + . | @text "\(join("\t"))"
