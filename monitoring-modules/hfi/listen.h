/* SPDX-License-Identifier: GPL-2.0 */
/* A client of the kernel's thermal driver, which enables hardware feedback for it */
#ifndef PMC_HFI_LISTEN_H
#define PMC_HFI_LISTEN_H

int hfi_listen(void);
void hfi_listen_stop(void);
void hfi_listen_drain(void);

#endif /* PMC_HFI_LISTEN_H */
