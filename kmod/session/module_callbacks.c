// SPDX-License-Identifier: GPL-2.0
/* What sessions ask of monitoring modules. */
#include "session/module_callbacks.h"

const struct pmc_module_ops *pmc_module_ops;

/**
 * pmc_module_ops_init - say who is called
 * @ops: the functions
 *
 * Context: Before there is any session.
 */
void pmc_module_ops_init(const struct pmc_module_ops *ops)
{
	pmc_module_ops = ops;
}
