// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Devices. CPUs are the only type; each core type is a device, so that programs see the
 * caches, model, cores and threads of each. PAPI has one device for all CPUs: on machines
 * with equal cores the answers are the same.
 */

#include "caches.h"
#include "devices.h"
#include "errors.h"

enum value_kind { CACHE_SIZE, CACHE_LINE_SIZE, CACHE_LINE_COUNT, CACHE_ASSOC };

/* The first of four attributes, which follow each other: L1I, L1D, L2U, L3U */
static const struct cache_attrs {
	PAPI_dev_attr_e first;
	enum value_kind kind;
} cache_attrs[] = {
	{ PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_SIZE, CACHE_SIZE },
	{ PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_LINE_SIZE, CACHE_LINE_SIZE },
	{ PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_LINE_COUNT, CACHE_LINE_COUNT },
	{ PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_ASSOC, CACHE_ASSOC },
};

static const struct attr_cache {
	int level;
	int type;
} attr_caches[] = {
	{ 1, PAPI_MH_TYPE_INST },
	{ 1, PAPI_MH_TYPE_DATA },
	{ 2, PAPI_MH_TYPE_UNIFIED },
	{ 3, PAPI_MH_TYPE_UNIFIED },
};

#define NR_ATTR_CACHES (sizeof(attr_caches) / sizeof(*attr_caches))

static unsigned int cache_value(const PAPI_mh_cache_info_t *cache, enum value_kind kind)
{
	switch (kind) {
	case CACHE_SIZE:
		return cache->size;
	case CACHE_LINE_SIZE:
		return cache->line_size;
	case CACHE_LINE_COUNT:
		return cache->num_lines;
	default:
		return cache->associativity;
	}
}

static int cache_attr(const PAPI_mh_info_t *caches, PAPI_dev_attr_e attr, unsigned int *value)
{
	const struct attr_cache *which;
	size_t i;

	for (i = 0; i < sizeof(cache_attrs) / sizeof(*cache_attrs); i++) {
		if (attr < cache_attrs[i].first || attr >= cache_attrs[i].first + NR_ATTR_CACHES)
			continue;
		which = &attr_caches[attr - cache_attrs[i].first];
		*value = cache_value(cache_find(caches, which->level, which->type),
				     cache_attrs[i].kind);
		return PAPI_OK;
	}
	return PAPI_ENOSUPP;
}

static unsigned int cores_of(const struct hardware *hw, int type)
{
	struct cpus cores;

	topology_cores(&hw->topology, &hw->types.types[type].cpus, &cores);
	return topology_per_socket(&hw->topology, &cores);
}

/* Attributes of a core type; those of the machine are the same for each. */
static int core_type_attr(const struct hardware *hw, int type, PAPI_dev_attr_e attr,
			  unsigned int *value)
{
	const struct cpus *cpus = &hw->types.types[type].cpus;

	switch (attr) {
	case PAPI_DEV_ATTR__CPU_UINT_SOCKET_COUNT:
		*value = topology_sockets(&hw->topology, cpus);
		return PAPI_OK;
	case PAPI_DEV_ATTR__CPU_UINT_NUMA_COUNT:
		*value = hw->topology.nr_nodes;
		return PAPI_OK;
	case PAPI_DEV_ATTR__CPU_UINT_CORE_COUNT:
		*value = cores_of(hw, type);
		return PAPI_OK;
	case PAPI_DEV_ATTR__CPU_UINT_THREAD_COUNT:
		*value = cpus_count(cpus);
		return PAPI_OK;
	case PAPI_DEV_ATTR__CPU_UINT_FAMILY:
		*value = hw->cpus[type].family;
		return PAPI_OK;
	case PAPI_DEV_ATTR__CPU_UINT_MODEL:
		*value = hw->cpus[type].model;
		return PAPI_OK;
	case PAPI_DEV_ATTR__CPU_UINT_STEPPING:
		*value = hw->cpus[type].stepping;
		return PAPI_OK;
	default:
		return cache_attr(&hw->caches[type], attr, value);
	}
}

static int node_attr(const struct hardware *hw, int node, PAPI_dev_attr_e attr,
		     unsigned int *value)
{
	*value = 0;
	if (node < 0 || node >= hw->topology.nr_nodes)
		return PAPI_EINVAL;
	if (attr == PAPI_DEV_ATTR__CPU_UINT_NUMA_MEM_SIZE)
		*value = hw->node_kib[node] >> 10;
	else
		*value = topology_per_node(&hw->topology, node);
	return PAPI_OK;
}

/* Programs take the value for an int and leave out CPUs with -1, also without a look at errors. */
static int affinity_attr(const struct hardware *hw, int cpu, int *node)
{
	*node = -1;
	if (cpu < 0 || cpu >= MAX_CPUS || !cpus_has(&hw->topology.online, cpu))
		return PAPI_EINVAL;
	*node = hw->topology.places[cpu].node;
	return PAPI_OK;
}

int device_attr(const struct hardware *hw, int id, PAPI_dev_attr_e attr, void *value)
{
	switch (attr) {
	case PAPI_DEV_ATTR__CPU_UINT_NUMA_MEM_SIZE:
	case PAPI_DEV_ATTR__CPU_UINT_THR_PER_NUMA:
		return node_attr(hw, id, attr, value);
	case PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY:
		return affinity_attr(hw, id, value);
	default:
		break;
	}
	if (id < 0 || id >= hw->types.nr)
		return PAPI_EINVAL;
	if (attr != PAPI_DEV_ATTR__CPU_CHAR_NAME)
		return core_type_attr(hw, id, attr, value);
	*(const char **)value = hw->names[id];
	return PAPI_OK;
}

int device_type_attr(const struct hardware *hw, PAPI_dev_type_attr_e attr, void *value)
{
	switch (attr) {
	case PAPI_DEV_TYPE_ATTR__INT_PAPI_ID:
		*(int *)value = PAPI_DEV_TYPE_ID__CPU;
		return PAPI_OK;
	case PAPI_DEV_TYPE_ATTR__INT_VENDOR_ID:
		*(int *)value = hw->info.vendor;
		return PAPI_OK;
	case PAPI_DEV_TYPE_ATTR__CHAR_NAME:
		*(const char **)value = hw->info.vendor_string;
		return PAPI_OK;
	case PAPI_DEV_TYPE_ATTR__INT_COUNT:
		*(int *)value = hw->types.nr;
		return PAPI_OK;
	case PAPI_DEV_TYPE_ATTR__CHAR_STATUS:
		*(const char **)value = "Device Initialized";
		return PAPI_OK;
	default:
		return PAPI_ENOSUPP;
	}
}

/* How many types of devices the calling thread has enumerated */
static _Thread_local int enumerated;

int PAPI_enum_dev_type(int enum_modifier, void **handle)
{
	const struct hardware *hw;

	if (!PAPI_is_initialized())
		return papi_fail(PAPI_ENOINIT);
	if (!handle)
		return papi_fail(PAPI_EINVAL);
	*handle = NULL;
	hw = hardware_get();
	if (!hw)
		return papi_fail(PAPI_ENOMEM);
	if (enum_modifier == PAPI_DEV_TYPE_ENUM__FIRST) {
		enumerated = 0;
	} else if (enumerated || !(enum_modifier & PAPI_DEV_TYPE_ENUM__CPU)) {
		/* The end, with which loops stop, is no failure to report. */
		enumerated = 0;
		return PAPI_EINVAL;
	} else {
		enumerated = 1;
	}
	*handle = (void *)hw;
	return PAPI_OK;
}

/* The handle has no meaning of its own, but a wrong one is a mistake. */
static int check(const void *handle, const void *value)
{
	if (!PAPI_is_initialized())
		return PAPI_ENOINIT;
	return handle && handle == hardware_get() && value ? PAPI_OK : PAPI_EINVAL;
}

int PAPI_get_dev_type_attr(void *handle, PAPI_dev_type_attr_e attr, void *value)
{
	int rc = check(handle, value);

	return papi_fail(rc == PAPI_OK ? device_type_attr(handle, attr, value) : rc);
}

int PAPI_get_dev_attr(void *handle, int id, PAPI_dev_attr_e attr, void *value)
{
	int rc = check(handle, value);

	return papi_fail(rc == PAPI_OK ? device_attr(handle, id, attr, value) : rc);
}
