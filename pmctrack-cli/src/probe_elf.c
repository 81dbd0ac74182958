// SPDX-License-Identifier: GPL-2.0
/* The functions of programs and libraries, from their ELF files (elf(5)). */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "probe_elf.h"

/* @nr elements of @size bytes at @offset; NULL if the file ends before, or if they are not aligned. */
static const void *part(const struct probe_elf *elf, uint64_t offset, uint64_t nr, size_t size)
{
	if ((size > 1 && offset % sizeof(uint64_t)) || offset > elf->size || nr > (elf->size - offset) / size)
		return NULL;
	return elf->data + offset;
}

static const Elf64_Ehdr *header(const struct probe_elf *elf)
{
	return (const Elf64_Ehdr *)elf->data;
}

static int is_elf(const struct probe_elf *elf)
{
	const Elf64_Ehdr *h = part(elf, 0, 1, sizeof(*h));

	return h && !memcmp(h->e_ident, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64 &&
	       h->e_ident[EI_DATA] == ELFDATA2LSB && h->e_phentsize == sizeof(Elf64_Phdr) &&
	       h->e_shentsize == sizeof(Elf64_Shdr);
}

void probe_elf_open(struct probe_elf *elf, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data;

	if (fd < 0 || fstat(fd, &st))
		bad("probe: cannot read %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		bad("probe: %s is no file with a program or library", path);
	data = st.st_size ? mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	if (data == MAP_FAILED)
		bad("probe: cannot read %s: %s", path, st.st_size ? strerror(errno) : "it is empty");
	elf->data = data;
	elf->size = st.st_size;
	elf->path = must_have(realpath(path, NULL));
	if (!is_elf(elf))
		bad("probe: %s is no 64-bit ELF program or library: of a script, name the interpreter",
		    path);
}

void probe_elf_close(struct probe_elf *elf)
{
	munmap((void *)elf->data, elf->size);
	free(elf->path);
}

/* Where the loaded code at @address is in the file; -1: nowhere */
static int file_offset(const struct probe_elf *elf, uint64_t address, uint64_t *offset)
{
	const Elf64_Ehdr *h = header(elf);
	const Elf64_Phdr *p = part(elf, h->e_phoff, h->e_phnum, sizeof(*p));
	int i;

	for (i = 0; p && i < h->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && (p[i].p_flags & PF_X) && address >= p[i].p_vaddr &&
		    address - p[i].p_vaddr < p[i].p_filesz) {
			*offset = address - p[i].p_vaddr + p[i].p_offset;
			return *offset >= p[i].p_offset && *offset < elf->size ? 0 : -1;
		}
	return -1;
}

/*
 * The start of a program, the parts of functions that compilers move away and jump to, and
 * functions that save their own return address for longjmp(3) and setcontext(3)
 */
int probe_elf_is_unsafe(const char *name)
{
	static const char *const patterns[] = {
		"_start", "*.cold", "*.cold.*", "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
		"getcontext", "__getcontext", "swapcontext", "__swapcontext",
	};
	size_t i;

	for (i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (!fnmatch(patterns[i], name, 0))
			return 1;
	return 0;
}

static int is_known(const struct probe_functions *functions, const char *path, uint64_t offset)
{
	int i;

	for (i = 0; i < functions->nr; i++)
		if (functions->all[i].offset == offset && !strcmp(functions->all[i].path, path))
			return 1;
	return 0;
}

static int add(const struct probe_elf *elf, const char *prefix, const char *name, uint64_t offset,
	       struct probe_functions *functions)
{
	struct probe_function *f;

	if (is_known(functions, elf->path, offset))
		return 0;
	functions->all = must_have(realloc(functions->all,
					   (functions->nr + 1) * sizeof(*functions->all)));
	f = &functions->all[functions->nr++];
	*f = (struct probe_function){
		.path = elf->path, .offset = offset,
		.kind = probe_kind(elf->data + offset, elf->size - offset),
	};
	if (asprintf(&f->name, "%s%s", prefix, name) < 0)
		bad("out of memory");
	return 1;
}

typedef int symbol_fn(const struct probe_elf *elf, const Elf64_Sym *sym, const char *name,
		      void *arg);

static int walk_table(const struct probe_elf *elf, const Elf64_Shdr *table, const Elf64_Shdr *text,
		      symbol_fn *fn, void *arg)
{
	uint64_t nr = table->sh_size / sizeof(Elf64_Sym), i;
	const Elf64_Sym *sym = part(elf, table->sh_offset, nr, sizeof(*sym));
	const char *names = part(elf, text->sh_offset, text->sh_size, 1);
	int sum = 0;

	if (!sym || !names || !text->sh_size || names[text->sh_size - 1])
		return 0;
	for (i = 0; i < nr; i++)
		if (sym[i].st_name < text->sh_size)
			sum += fn(elf, &sym[i], names + sym[i].st_name, arg);
	return sum;
}

/* The sum of what @fn returns for each symbol of the file */
static int walk_symbols(const struct probe_elf *elf, symbol_fn *fn, void *arg)
{
	const Elf64_Ehdr *h = header(elf);
	const Elf64_Shdr *s = part(elf, h->e_shoff, h->e_shnum, sizeof(*s));
	int i, sum = 0;

	for (i = 0; s && i < h->e_shnum; i++)
		if ((s[i].sh_type == SHT_SYMTAB || s[i].sh_type == SHT_DYNSYM) &&
		    s[i].sh_link < h->e_shnum)
			sum += walk_table(elf, &s[i], &s[s[i].sh_link], fn, arg);
	return sum;
}

struct wanted {
	const char *pattern;
	const char *prefix;
	struct probe_functions *functions;
};

/* Return: whether the symbol has this type, and a name of this pattern. */
static int is_symbol(const Elf64_Sym *sym, unsigned int type, const char *name, const char *pattern)
{
	return ELF64_ST_TYPE(sym->st_info) == type && sym->st_shndx != SHN_UNDEF &&
	       !fnmatch(pattern, name, 0);
}

static int add_wanted(const struct probe_elf *elf, const Elf64_Sym *sym, const char *name,
		      void *arg)
{
	const struct wanted *wanted = arg;
	uint64_t offset;

	if (!is_symbol(sym, STT_FUNC, name, wanted->pattern) || probe_elf_is_unsafe(name) ||
	    file_offset(elf, sym->st_value, &offset))
		return 0;
	return add(elf, wanted->prefix, name, offset, wanted->functions);
}

int probe_elf_find(const struct probe_elf *elf, const char *pattern, const char *prefix,
		   struct probe_functions *functions)
{
	struct wanted wanted = { .pattern = pattern, .prefix = prefix, .functions = functions };

	return walk_symbols(elf, add_wanted, &wanted);
}

static int is_chosen(const struct probe_elf *elf, const Elf64_Sym *sym, const char *name, void *arg)
{
	(void)elf;
	return is_symbol(sym, STT_GNU_IFUNC, name, arg);
}

int probe_elf_is_chosen(const struct probe_elf *elf, const char *pattern)
{
	return walk_symbols(elf, is_chosen, (void *)pattern) > 0;
}

static int has_name(const struct probe_elf *elf, const Elf64_Sym *sym, const char *name, void *arg)
{
	(void)elf;
	(void)sym;
	return !strcmp(name, arg);
}

const char *probe_elf_danger(const struct probe_elf *elf)
{
	static const char exceptions[] =
		"has C++ exceptions: one that leaves a function with a probe ends the program";
	static const char go[] =
		"is a Go program: its run-time system may end it, as it looks for return addresses";
	/* A program may catch what a library throws. */
	static const struct {
		char symbol[20];
		const char *danger;
	} dangers[] = {
		{ "__cxa_throw", exceptions },
		{ "__cxa_begin_catch", exceptions },
		{ "runtime.main", go },
	};
	size_t i;

	for (i = 0; i < sizeof(dangers) / sizeof(*dangers); i++)
		if (walk_symbols(elf, has_name, (void *)dangers[i].symbol))
			return dangers[i].danger;
	return NULL;
}

struct own {
	uintptr_t address;
	uint64_t offset;
	int found;
};

/* The first object is the program; the others are libraries. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct own *own = arg;
	const ElfW(Phdr) *p;
	uintptr_t start;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		p = &info->dlpi_phdr[i];
		start = info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && own->address >= start && own->address - start < p->p_filesz) {
			own->offset = own->address - start + p->p_offset;
			own->found = 1;
		}
	}
	return 1;
}

int probe_own_offset(const void *address, uint64_t *offset)
{
	struct own own = { .address = (uintptr_t)address };

	dl_iterate_phdr(look, &own);
	*offset = own.offset;
	return own.found ? 0 : -1;
}
