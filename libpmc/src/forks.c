// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Recognize a child process by a word that the kernel clears in children (madvise(2),
 * MADV_WIPEONFORK). Handlers of pthread_atfork() are not enough: clone() and _Fork() do not
 * call them.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "forks.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned long *word;
static unsigned long last;

static void map_word(void)
{
	size_t size = sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return;
	if (madvise(page, size, MADV_WIPEONFORK))
		munmap(page, size);
	else
		word = page;
}

unsigned long forks_process(void)
{
	unsigned long id, none = 0;

	pthread_once(&once, map_word);
	if (!word)
		return getpid();
	id = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	if (id)
		return id;
	/*
	 * The number is taken before the word is set: a thread that sees the word may make a
	 * child at once, whose number has to differ. If two threads get here, one number
	 * remains unused.
	 */
	id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	if (!__atomic_compare_exchange_n(word, &none, id, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		return none;
	return id;
}
