/* SPDX-License-Identifier: GPL-2.0 */
/* This CPU's registers of frequency and temperature, and sensors of the board. */
#ifndef PMC_THERMAL_FREQ_REGISTERS_H
#define PMC_THERMAL_FREQ_REGISTERS_H

#include <pmctrack/monitoring_module.h>

/* The virtual counters that there may be. */
enum what {
	FREQ,
	TEMP_CORE,
	TEMP_PKG,
	THROTTLED,
	NR_WHAT
};

/*
 * x86.c: has_register() is for process context; forget_registers() begins anew,
 * without readers: when the module is activated or resumed; read_register() is for
 * interrupts off or NMI, and registers that are there: PMC_NO_VALUE when one has no
 * value now.
 */
#ifdef CONFIG_X86_64
bool has_register(enum what what);
void forget_registers(void);
u64 read_register(enum what what);
#else
static inline bool has_register(enum what what)
{
	return false;
}

static inline void forget_registers(void) { }

static inline u64 read_register(enum what what)
{
	return PMC_NO_VALUE;
}
#endif

/* sensor.c */
bool has_sensor(enum what what);
bool read_sensor(enum what what, u64 *value);
void look_at_sensors(void);
int add_sensor(char *value);
void show_sensors(struct seq_file *m);
void drop_sensors(void);

#endif /* PMC_THERMAL_FREQ_REGISTERS_H */
