// SPDX-License-Identifier: GPL-2.0
/*
 * The command pmctrack with virtual counters of two modules while it counts CPUs: its
 * columns, the CPU that reports a shared value, and its totals. Values are compared with the
 * machine's registers, read before and after the command, and by the program that it runs.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"

#ifndef __x86_64__

int main(void)
{
	die("only x86 has these registers");
}

#else

#include <cpuid.h>

#define PACKAGE_THERM_STATUS	0x1b1

#define CPUS		4
#define CSV		"/tmp/syswide.csv"
#define TABLE		"/tmp/syswide.table"
#define READINGS	"/tmp/readings"

/* Instructions of user mode */
#define WORK		300000000

/* Indexes of the fields of a line; virtual counters follow. */
enum { CPU_AT = 4, TYPE_AT, EVENT_AT = 7, INSTR_AT = 10, CYCLES_AT, VIRTUAL_AT, FIELDS = 16 };

/**
 * struct energy - a virtual counter of energy
 * @name: its name
 * @msr: the register
 * @shared: all CPUs share it: CPU 0 reports it
 */
struct energy {
	const char *name;
	uint32_t msr;
	bool shared;
};

static const struct energy intel_energy[] = { { "energy_pkg", 0x611, true } };
static const struct energy amd_energy[] = {
	{ "energy_core", 0xc001029a, false }, { "energy_pkg", 0xc001029b, true },
};

static const struct energy *energy = intel_energy;
static int nr_energy = 1, first_energy = VIRTUAL_AT + 2, bits = 14;
static bool amd;
static const char *virtuals = "freq,temp_pkg,energy_pkg";
static const char *header = "nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us,"
			    "instr,cycles,freq[MHz],temp_pkg[degC],energy_pkg[uJ]\n";

static void find_machine(void)
{
	unsigned int a, b, c, d;

	__cpuid(0, a, b, c, d);
	amd = b == signature_AMD_ebx;
	if (!amd)
		return;
	energy = amd_energy;
	nr_energy = 2;
	first_energy = VIRTUAL_AT + 1;
	bits = 16;
	virtuals = "freq,energy_core,energy_pkg";
	header = "nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us,"
		 "instr,cycles,freq[MHz],energy_core[uJ],energy_pkg[uJ]\n";
}

/* The values of the registers at a time. */
struct reading {
	uint32_t energy[2][CPUS];
	int temperature;
};

static struct reading read_registers(void)
{
	struct reading r = {};
	int e, cpu;

	for (e = 0; e < nr_energy; e++)
		for (cpu = 0; cpu < CPUS; cpu++)
			r.energy[e][cpu] = read_msr(cpu, energy[e].msr);
	if (!amd)
		r.temperature = 100 - (read_msr(0, PACKAGE_THERM_STATUS) >> 16 & 0x7f);
	return r;
}

/* The program of the command: a P-core is busy, then an E-core, then none. */
static int work(void)
{
	struct reading r[4];
	FILE *f;

	r[0] = read_registers();
	pin(0, 0);
	spin(WORK / 2);
	r[1] = read_registers();
	pin(0, CPUS - 1);
	spin(WORK / 2);
	r[2] = read_registers();
	sleep(1);
	r[3] = read_registers();
	f = fopen(READINGS, "w");
	if (!f || fwrite(r, sizeof(r), 1, f) != 1 || fclose(f))
		die(READINGS);
	return 0;
}

/* ---- the samples and totals, as CSV ---- */

static long long to_uj(uint32_t units)
{
	return (long long)units * 1000000 >> bits;
}

/* Sums of samples and of totals, for each CPU or core type. */
struct sums {
	long long samples[CPUS], instr[CPUS], cycles[CPUS], energy[2][CPUS];
	long long hot, cool;
	long long total_instr[2], total_cycles[2], total_energy[2][2];
	int known[CPUS], totals, means;
};

static int split(char *line, char *fields[FIELDS])
{
	int n = 0;

	line[strcspn(line, "\n")] = '\0';
	while (line && n < FIELDS)
		fields[n++] = strsep(&line, ",");
	return n;
}

/* MHz with three digits after the point, read as kHz; temperatures likewise. */
static long long thousandths(const char *text)
{
	return atof(text) * 1000 + 0.5;
}

/* Cycles of an instruction, which takes a ns on either core type */
static int cycles_each(int core_type)
{
	return core_type ? 2 : 1;
}

static void add_sample(struct sums *s, char *fields[FIELDS])
{
	int cpu = atoi(fields[CPU_AT]), ct = core_type_of(cpu), cpi = cycles_each(ct), e;
	long long instr = atoll(fields[INSTR_AT]), value;

	same(atoi(fields[TYPE_AT]), ct, "core type of CPU %d", cpu);
	same(atoll(fields[CYCLES_AT]), cpi * instr, "CPU %d: cycles", cpu);
	s->samples[cpu]++;
	s->instr[cpu] += instr;
	s->cycles[cpu] += atoll(fields[CYCLES_AT]);
	/* A CPU with hardly any work has none. */
	if (*fields[VIRTUAL_AT]) {
		value = cpi * 1000000;
		within(thousandths(fields[VIRTUAL_AT]), value * 99 / 100, value * 101 / 100,
		       "CPU %d: kHz", cpu);
		s->known[cpu]++;
	}
	if (!amd) {
		value = thousandths(fields[VIRTUAL_AT + 1]);
		s->hot = value > s->hot ? value : s->hot;
		s->cool = value < s->cool ? value : s->cool;
	}
	for (e = 0; e < nr_energy; e++) {
		const char *text = fields[first_energy + e];

		if (energy[e].shared && cpu && strcmp(text, "0"))
			fail("CPU %d: %s is '%s', which CPU 0 reports", cpu, energy[e].name, text);
		s->energy[e][cpu] += atoll(text);
	}
}

static void add_total(struct sums *s, char *fields[FIELDS])
{
	int ct = atoi(fields[TYPE_AT]), e;

	if (!within(ct, 0, 1, "core type of totals"))
		return;
	s->totals++;
	s->total_instr[ct] = atoll(fields[INSTR_AT]);
	s->total_cycles[ct] = atoll(fields[CYCLES_AT]);
	same(*fields[VIRTUAL_AT], '\0', "a sum of frequencies");
	for (e = 0; e < nr_energy; e++)
		s->total_energy[e][ct] = atoll(fields[first_energy + e]);
}

static void add_mean(struct sums *s, char *fields[FIELDS])
{
	int ct = atoi(fields[TYPE_AT]);
	long long khz = cycles_each(ct) * 1000000;

	s->means++;
	within(thousandths(fields[VIRTUAL_AT]), khz * 99 / 100, khz * 101 / 100,
	       "core type %d: mean kHz", ct);
	if (!amd)
		within(thousandths(fields[VIRTUAL_AT + 1]), s->cool, s->hot,
		       "core type %d: mean temperature", ct);
	same(*fields[first_energy], '\0', "core type %d: a mean of energy", ct);
}

static void read_csv(struct sums *s)
{
	char line[400], *fields[FIELDS];
	FILE *f = fopen(CSV, "r");

	if (!f || !fgets(line, sizeof(line), f))
		die(CSV);
	if (strcmp(line, header))
		fail("the columns are %s", line);
	while (fgets(line, sizeof(line), f)) {
		if (!same(split(line, fields), VIRTUAL_AT + 3, "fields of a line"))
			continue;
		if (!strcmp(fields[EVENT_AT], "total"))
			add_total(s, fields);
		else if (!strcmp(fields[EVENT_AT], "mean"))
			add_mean(s, fields);
		else
			add_sample(s, fields);
	}
	fclose(f);
}

/* The program's own instructions are most of them; the rest are the command's. */
static void check_counts(const struct sums *s)
{
	long long instr[2] = {}, cycles[2] = {};
	int cpu, ct;

	for (cpu = 0; cpu < CPUS; cpu++) {
		ct = core_type_of(cpu);
		instr[ct] += s->instr[cpu];
		cycles[ct] += s->cycles[cpu];
		within(s->samples[cpu], 15, 40, "samples of CPU %d", cpu);
	}
	for (ct = 0; ct < nr_core_types; ct++) {
		same(s->total_instr[ct], instr[ct], "core type %d: instructions", ct);
		same(s->total_cycles[ct], cycles[ct], "core type %d: cycles", ct);
	}
	within(s->instr[0], WORK, WORK * 11ll / 10, "instructions of CPU 0");
	within(s->instr[CPUS - 1], WORK, WORK * 11ll / 10, "instructions of CPU %d", CPUS - 1);
	within(s->known[0], 4, 40, "samples with a frequency of CPU 0");
	within(s->known[CPUS - 1], 4, 40, "samples with a frequency of CPU %d", CPUS - 1);
	same(s->totals, nr_core_types, "lines of totals");
	same(s->means, nr_core_types, "lines of means");
}

/* Not less than the energy while the program ran, not more than around the command. */
static void check_energy(const struct sums *s, const struct reading *before,
			 const struct reading *inside, const struct reading *after)
{
	long long reported[2] = {}, least, most;
	int e, cpu;

	for (e = 0; e < nr_energy; e++) {
		reported[0] = reported[1] = 0;
		for (cpu = 0; cpu < CPUS; cpu++) {
			reported[core_type_of(cpu)] += s->energy[e][cpu];
			if (cpu && energy[e].shared)
				continue;
			least = to_uj(inside[3].energy[e][cpu] - inside[0].energy[e][cpu]);
			most = to_uj(after->energy[e][cpu] - before->energy[e][cpu]);
			printf("%s of CPU %d: %lld uJ; by the register %lld to %lld\n",
			       energy[e].name, cpu, s->energy[e][cpu], least, most);
			within(s->energy[e][cpu], least - 1, most + 1, "CPU %d: %s", cpu,
			       energy[e].name);
		}
		same(s->total_energy[e][0], reported[0], "core type 0: %s in all", energy[e].name);
		same(s->total_energy[e][1], reported[1], "core type 1: %s in all", energy[e].name);
	}
}

static void check_temperature(const struct sums *s, const struct reading *inside)
{
	int i, hot = 0, cool = 200;

	for (i = 0; i < 4; i++) {
		hot = inside[i].temperature > hot ? inside[i].temperature : hot;
		cool = inside[i].temperature < cool ? inside[i].temperature : cool;
	}
	printf("the package had %d to %d degrees, reported %lld to %lld thousandths\n", cool, hot,
	       s->cool, s->hot);
	within(s->hot, hot * 1000 - 4000, hot * 1000 + 1000, "the package, hot");
	within(s->cool, cool * 1000 - 1000, cool * 1000 + 1000, "the package, cool");
}

static void as_csv(void)
{
	struct reading before, inside[4], after;
	struct sums s = { .cool = 200000 };
	char line[200];
	FILE *f;

	snprintf(line, sizeof(line),
		 "pmctrack -S -T 0.1 -V %s -c instr,cycles --format=csv -o " CSV
		 " /tests/systemwide/virtual_columns work", virtuals);
	before = read_registers();
	same(system(line), 0, "%s", line);
	after = read_registers();
	f = fopen(READINGS, "r");
	if (!f || fread(inside, sizeof(inside), 1, f) != 1)
		die(READINGS);
	fclose(f);
	read_csv(&s);
	check_counts(&s);
	check_energy(&s, &before, inside, &after);
	if (!amd)
		check_temperature(&s, inside);
}

/* ---- the table ---- */

/* A line for each CPU, as wide as the heading. */
static void as_table(void)
{
	char line[400], words[9][20], heading[400] = "";
	int cpu = 0, rows = 0;
	FILE *f;

	snprintf(line, sizeof(line), "pmctrack -S -T 0.5 -V %s -c instr,cycles sleep 2 2>" TABLE,
		 virtuals);
	same(system(line), 0, "%s", line);
	f = fopen(TABLE, "r");
	while (f && fgets(line, sizeof(line), f) && strncmp(line, "[Totals", 7)) {
		if (!strncmp(line, "sample ", 7))
			strcpy(heading, line);
		if (!*heading || !strstr(line, " tick "))
			continue;
		same(strlen(line), strlen(heading), "length of '%s'", line);
		if (!same(sscanf(line, "%19s %19s %19s %19s %19s %19s %19s %19s %19s", words[0],
				 words[1], words[2], words[3], words[4], words[5], words[6], words[7],
				 words[8]), 9,
			  "words of '%s'", line))
			continue;
		rows++;
		/* The package's energy, the last column */
		if (strcmp(words[1], "0") && strcmp(words[8], "0"))
			fail("not CPU 0 reports the package: %s", line);
		cpu |= 1 << atoi(words[1]);
	}
	if (f)
		fclose(f);
	mentions(heading, amd ? "energy_core[uJ] energy_pkg[uJ]" : "temp_pkg[degC] energy_pkg[uJ]",
		 "the heading");
	mentions(heading, "freq[MHz]", "the heading");
	same(cpu, (1 << CPUS) - 1, "CPUs in the table");
	within(rows, 3 * CPUS, 5 * CPUS, "lines of the table");
}

int main(int argc, char **argv)
{
	find_machine();
	if (argc == 2 && !strcmp(argv[1], "work"))
		return work();
	need_core_types();
	sleep(5);
	load_module("pmc_energy");
	load_module("pmc_thermal_freq");
	activate("energy");
	activate("thermal_freq");
	as_csv();
	as_table();
	deactivate("thermal_freq");
	deactivate("energy");
	unload_module("pmc_thermal_freq");
	unload_module("pmc_energy");
	wait_until_idle();
	return result();
}

#endif
