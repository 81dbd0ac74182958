#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# protoc reads traces for Perfetto: those that unit tests write have the numbers of CSV of the same
# samples and calls; those of a machine have the calls and counts, and the regions, that their programs are
# known to have.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

command -v protoc >/dev/null || fail "no protoc: install protobuf-compiler"
# decode FILE: its fields as text. A field that perfetto.proto does not have is a number there.
decode() { protoc --proto_path=tests/host --decode=perfetto.protos.Trace tests/host/perfetto.proto <"$1"; }

cat >"$work/trace.py" <<'END'
import csv, re, sys
from decimal import Decimal


def parse(lines):
    fields = []
    for line in lines:
        line = line.strip()
        if line == "}":
            return fields
        if line.endswith(" {"):
            fields.append((line[:-2], parse(lines)))
        else:
            name, value = line.split(": ", 1)
            if value.startswith('"'):
                value = value[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()
            fields.append((name, value))
        if fields[-1][0].isdigit():
            sys.exit(f"field {fields[-1][0]} is not in perfetto.proto")
    return fields


class Slice:
    def __init__(self, name, start, notes):
        self.name, self.start, self.notes, self.end = name, start, notes, None


# A track has a name, a number (of its thread or CPU), a unit, values by time, and slices.
class Track:
    def __init__(self, fields):
        self.name, self.parent = fields.get("name", ""), fields.get("parent_uuid")
        self.number, self.unit = None, dict(fields.get("counter", [])).get("unit_name", "")
        self.values, self.slices, self.open, self.instants = {}, [], [], []
        if "thread" in fields:
            self.number = dict(fields["thread"])["tid"]
        elif self.name.startswith("CPU "):
            self.number = self.name[4:]


def note(fields):
    f = dict(fields)
    return f["name"], next(f[kind] for kind in ("uint_value", "double_value", "string_value") if kind in f)


def read(path):
    tracks = {}
    for _, packet in parse(iter(open(path).read().splitlines())):
        packet = dict(packet)
        if "track_descriptor" in packet:
            fields = dict(packet["track_descriptor"])
            if fields["uuid"] in tracks:
                sys.exit(f"track {fields['uuid']} is described twice")
            tracks[fields["uuid"]] = Track(fields)
        if "track_event" in packet:
            add_event(tracks, int(packet["timestamp"]), packet["track_event"])
    return tracks


def add_event(tracks, time, event):
    fields, notes = dict(event), dict(note(value) for name, value in event if name == "debug_annotations")
    track, kind = tracks[fields["track_uuid"]], fields["type"]
    if kind == "TYPE_COUNTER":
        track.values[time] = fields.get("counter_value", fields.get("double_counter_value"))
    elif kind == "TYPE_SLICE_BEGIN":
        track.slices.append(Slice(fields["name"], time, notes))
        track.slices[-1].around = [s.name for s in track.open]
        track.open.append(track.slices[-1])
    elif kind == "TYPE_SLICE_END":
        track.open[-1].end = time
        track.open.pop().notes.update(notes)
    else:
        track.instants.append(fields["name"])


def same(text, value):
    places = len(text.partition(".")[2])
    return format(Decimal(value), f".{places}f") == text


# Virtual counters that are valid from their sample on; all others are of the time before it.
LEVELS = ("sf",)
ENDS = ("nsample", "time_s", "pid", "tid", "cpu", "coretype", "set", "event", "elapsed_us", "running_us", "name")


class Samples:
    def __init__(self, tracks):
        self.tracks, self.wrong, self.nr, self.core_types, self.seen = tracks, [], 0, {}, set()
        self.names = {t.name.partition(" (")[0] for t in tracks.values()}

    # The core type is the slice on the track of the thread; counters are tracks below it.
    def add(self, row):
        number, end = row["tid"] or row["cpu"], int(Decimal(row["time_s"]) * 10**9)
        start = end - int(Decimal(row["elapsed_us"]) * 1000)
        lanes = [(uuid, t) for uuid, t in self.tracks.items() if t.number == number]
        cores = [(uuid, s.name) for uuid, t in lanes for s in t.slices if s.start <= start and end <= s.end]
        if len(cores) != 1:
            self.wrong.append(f"{number} from {start} to {end} is in slices {cores}")
            return
        lane, core = cores[0]
        if self.core_types.setdefault(row["coretype"], core) != core:
            self.wrong.append(f"core type {row['coretype']} is {core} and {self.core_types[row['coretype']]}")
        for column, text in row.items():
            name, _, unit = column.strip("~").rstrip("]").partition("[")
            # CSV has events that nobody has asked for, too.
            if column in ENDS or text == "" or name not in self.names and column in ("instr", "cycles"):
                continue
            self.compare(lane, core, name, unit, end if name in LEVELS else start, text)
        instr, cycles = row.get("instr"), row.get("cycles")
        if instr and cycles and int(cycles) and "instr" in self.names:
            ratio = self.value(lane, core, "instructions per cycle", "", start)
            if ratio is None or abs(float(ratio) * int(cycles) / int(instr) - 1) > 1e-9:
                self.wrong.append(f"{instr} instructions in {cycles} cycles are {ratio}")

    def value(self, lane, core, name, unit, time):
        for uuid, t in self.tracks.items():
            if t.parent == lane and t.name in (name, f"{name} ({core})") and t.unit == unit and time in t.values:
                self.seen.add((uuid, time))
                return t.values[time]
        return None

    def compare(self, lane, core, name, unit, time, text):
        value = self.value(lane, core, name, unit, time)
        self.nr += 1
        if value is None or not same(text, value):
            self.wrong.append(f"{name} on {core} at {time} is {value}, not {text}")

    # What no row has is a 0 at an end.
    def finish(self):
        for uuid, t in self.tracks.items():
            for time, value in t.values.items():
                if (uuid, time) not in self.seen and value != "0":
                    self.wrong.append(f"{t.name} at {time} is {value}, and CSV has no such sample")
            if t.open:
                self.wrong.append(f"{t.open[-1].name} does not end")


def compare_samples(tracks, path):
    samples = Samples(tracks)
    for row in csv.DictReader(open(path)):
        if row["nsample"]:
            samples.add(row)
    samples.finish()
    if not samples.nr:
        samples.wrong.append("nothing is compared")
    return samples.wrong


# Calls of a function, and sums of what they count: a dictionary. Of recursive calls, the outermost one counts.
def sums(tracks, name):
    found = {"calls": 0}
    for t in tracks.values():
        for s in t.slices:
            if s.name != name:
                continue
            found["calls"] += 1
            for event, value in s.notes.items():
                if re.fullmatch("[0-9]+", value) and (event.startswith("own_") or name not in s.around):
                    found[event] = found.get(event, 0) + int(value)
    return found


def compare_calls(tracks, path):
    wrong, nr = [], 0
    for row in csv.DictReader(open(path)):
        if row["coretype"] != "all":
            continue
        found = sums(tracks, row["function"])
        for column in ("calls", "instr", "own_instr"):
            nr += 1
            if str(found.get(column, 0)) != row[column]:
                wrong.append(f"{row['function']}: {column} is {found.get(column)}, not {row[column]}")
    return wrong if nr else ["nothing is compared"]


# NAME CALLS INSTR OWN_INSTR; in each, a call of the first function is in one of the second.
def compare_known(tracks, *known):
    wrong = []
    for text in known:
        name, *numbers = text.split()
        found = sums(tracks, name)
        if [str(found.get(column, 0)) for column in ("calls", "instr", "own_instr")] != numbers:
            wrong.append(f"{name}: {found}, not {numbers}")
    inner = [s for t in tracks.values() for s in t.slices if s.name == "known_inner"]
    if sum(s.around == ["known_outer"] for s in inner) != 400:
        wrong.append("not 400 calls of known_inner() are in known_outer()")
    if sum(t.number is not None for t in tracks.values()) != 2:
        wrong.append("not two threads")
    return wrong


# NAME NUMBER AROUND: slices of a region, and the one that each is in. They are in the time of their thread.
def compare_regions(tracks, *known):
    wrong, found = [], {}
    for t in tracks.values():
        if not t.name.startswith("regions"):
            continue
        cores = tracks[t.parent].slices
        for s in t.slices:
            found.setdefault(s.name, []).append(s.around[-1] if s.around else "-")
            if s.end is None or s.end < s.start:
                wrong.append(f"{s.name} from {s.start} ends at {s.end}")
            elif cores and not (cores[0].start <= s.start and s.end <= cores[-1].end):
                wrong.append(f"{s.name} from {s.start} to {s.end} is not in {cores[0].start} to {cores[-1].end}")
    for text in known:
        name, number, around = text.rsplit(" ", 2)
        if found.pop(name, []) != [around] * int(number):
            wrong.append(f"not {text}")
    return wrong + [f"{name} in {around}" for name, around in found.items()]


wrong = globals()["compare_" + sys.argv[1]](read(sys.argv[2]), *sys.argv[3:])
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(bool(wrong))
END

# ---- unit tests

scripts/build unit test_cli_perfetto test_cli_probe || fail "not built"
fixed="setarch --addr-no-randomize"
$fixed true 2>/dev/null || fixed=
for test in test_cli_perfetto test_cli_probe; do
	PMCTRACK_TEST_TRACES=$work $fixed "$build/native/unit/$test" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
done
for name in thread virtuals metrics turns losses; do
	decode "$work/$name.pftrace" >"$work/$name.text" || fail "$name: protoc cannot read it"
	python3 "$work/trace.py" samples "$work/$name.text" "$work/$name.csv" || fail "$name: $(cat "$work/$name.text")"
done
grep -q 'name: "3 samples were lost"' "$work/losses.text" || fail "no losses: $(cat "$work/losses.text")"
decode "$work/regions.pftrace" >"$work/regions.text" || fail "regions: protoc cannot read it"
python3 "$work/trace.py" regions "$work/regions.text" "outer 1 -" "inner 1 outer" "again 1 outer" \
	"again in it 1 again" 'a\x1b\xff\x5c 1 -' "later 1 -" " 1 -" ||
	fail "regions: $(cat "$work/regions.text")"
decode "$work/calls.pftrace" >"$work/calls.text" || fail "calls: protoc cannot read it"
python3 "$work/trace.py" calls "$work/calls.text" "$work/calls.csv" || fail "calls: $(cat "$work/calls.text")"

# The comparison sees another number.
sed '0,/counter_value: 5$/s//counter_value: 6/' "$work/thread.text" >"$work/changed"
! cmp -s "$work/thread.text" "$work/changed" || fail "nothing is changed"
! python3 "$work/trace.py" samples "$work/changed" "$work/thread.csv" >/dev/null || fail "any number is right"

# ---- a machine

mkdir "$work/add"
cat >"$work/add/use" <<'END'
cd /tmp
pmctrack probe -e instr -o f.pftrace /tests/programs/known_calls 'known_*' || [ $? -eq 3 ]
echo "@ trace"
busybox base64 f.pftrace
echo "@ end"
pmctrack -c instr -T 0.01 -o r.pftrace /tests/programs/regions
echo "@ regions"
busybox base64 r.pftrace
echo "@ end"
END
scripts/vm --machine x86-hybrid --add "$work/add" sh /use >"$work/out" 2>&1 || fail "in the machine: $(cat "$work/out")"
for trace in trace regions; do
	tr -d '\r' <"$work/out" | sed -n "/^@ $trace/,/^@ end/{/^@/!p}" | base64 -d >"$work/known.$trace" || fail "no trace: $(cat "$work/out")"
done
decode "$work/known.regions" >"$work/known.text" || fail "protoc cannot read regions"
python3 "$work/trace.py" regions "$work/known.text" "outer 1 -" "inner 2 outer" "other 1 -" "threaded 1 -" "forked 1 -" \
	"executed 1 -" "nested 1 executed" || fail "regions: $(cat "$work/known.text")"
decode "$work/known.trace" >"$work/known.text" || fail "protoc cannot read it"
python3 "$work/trace.py" known "$work/known.text" "known_inner 401 81002 81002" "known_outer 8 82032 1232" \
	"known_recursive 11 73 73"
