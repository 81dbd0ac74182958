// SPDX-License-Identifier: GPL-2.0
/* pmctrack probe: functions from ELF files, whole and broken ones, and what words name. */
#include <unistd.h>

#include "lib.h"
#include "probe_find.h"
#include "refused.h"

/* This program's own functions */
__attribute__((noinline, used)) static void probe_test_one(void)
{
	__asm__ volatile("");
}

/* Another name of it */
__attribute__((alias("probe_test_one"), used)) static void probe_test_same(void);

void probe_test_moved(void) __asm__("probe_test_one.cold");
__attribute__((noinline, used)) void probe_test_moved(void)
{
	__asm__ volatile("");
}

static struct probe_functions found;

static void test_own_functions(void **state)
{
	struct probe_elf elf;
	uint64_t offset;

	probe_elf_open(&elf, "/proc/self/exe");
	assert_int_equal(probe_elf_find(&elf, "probe_test_[no]*", "x:", &found), 1);
	assert_string_equal(found.all[0].name, "x:probe_test_one");
	assert_string_equal(found.all[0].path, elf.path);
	assert_int_equal(probe_own_offset((const void *)probe_test_one, &offset), 0);
	assert_int_equal(found.all[0].offset, offset);
	/* The same place is there once, whatever its name; the part that was moved away is left out. */
	assert_int_equal(probe_elf_find(&elf, "probe_test_*", "", &found), 0);
	assert_int_equal(probe_elf_find(&elf, "_start", "", &found), 0);
	assert_int_equal(probe_elf_find(&elf, "probe_test", "", &found), 0);
	assert_int_equal(probe_elf_find(&elf, "main", "", &found), 1);
	/* Not in the program's file */
	assert_int_equal(probe_own_offset(&found, &offset), -1);
	assert_int_equal(probe_own_offset((const void *)getpid, &offset), -1);
	probe_functions_free(&found);
	probe_elf_close(&elf);
}

/* ---- files made here ---- */

enum { NAMES = 1, SYMBOLS, NR_SECTIONS };

static struct file {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Shdr sections[NR_SECTIONS];
	Elf64_Sym symbols[3];
	char names[20];
	unsigned char code[32];
} good = {
	.header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_phoff = offsetof(struct file, segment), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
		.e_shoff = offsetof(struct file, sections), .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NR_SECTIONS,
	},
	.segment = {
		.p_type = PT_LOAD, .p_flags = PF_X, .p_vaddr = 0x4000, .p_filesz = 32,
		.p_offset = offsetof(struct file, code),
	},
	.sections = {
		[NAMES] = { .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct file, names), .sh_size = 20 },
		[SYMBOLS] = {
			.sh_type = SHT_SYMTAB, .sh_offset = offsetof(struct file, symbols),
			.sh_size = 3 * sizeof(Elf64_Sym), .sh_link = NAMES,
		},
	},
	.symbols = {
		[1] = { .st_name = 1, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 0x4010 },
		[2] = { .st_name = 5, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 0x4018 },
	},
	.names = "\0one\0a::two",
};

static char path[] = "/tmp/pmctrack-elf-XXXXXX";

static void write_file(const void *data, size_t size)
{
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	close(fd);
}

/* The number of functions in the file */
static int nr_in(const struct file *file)
{
	struct probe_elf elf;
	int nr;

	write_file(file, sizeof(*file));
	probe_elf_open(&elf, path);
	unlink(path);
	nr = probe_elf_find(&elf, "*", "", &found);
	assert_int_equal(nr, found.nr);
	probe_functions_free(&found);
	probe_elf_close(&elf);
	return nr;
}

static void test_file(void **state)
{
	struct probe_files files;

	assert_int_equal(nr_in(&good), 2);
	write_file(&good, sizeof(good));
	probe_files_open(&files, path);
	probe_find(&files, "a::two", &found);
	assert_int_equal(found.all[0].offset, offsetof(struct file, code) + 0x18);
	probe_find(&files, "on?", &found);
	assert_string_equal(found.all[1].name, "one");
	probe_files_close(&files);
	unlink(path);
	probe_functions_free(&found);
}

#define BROKEN(expected, change) do {		\
	struct file file = good;		\
						\
	change;					\
	assert_int_equal(nr_in(&file), expected); \
} while (0)

static void test_broken_files(void **state)
{
	BROKEN(0, file.header.e_shnum = 60000);
	BROKEN(0, file.header.e_shoff = UINT64_MAX - 8);
	BROKEN(0, file.header.e_shoff += 1);
	BROKEN(0, file.header.e_phoff = UINT64_MAX);
	BROKEN(0, file.header.e_phnum = 60000);
	BROKEN(0, file.sections[SYMBOLS].sh_link = NR_SECTIONS);
	BROKEN(0, file.sections[SYMBOLS].sh_size = UINT64_MAX);
	BROKEN(0, file.sections[SYMBOLS].sh_offset = sizeof(file));
	BROKEN(0, file.sections[SYMBOLS].sh_offset += 4);
	BROKEN(0, file.sections[NAMES].sh_size = 0);
	BROKEN(0, file.sections[NAMES].sh_size = UINT64_MAX);
	/* Names have to end. */
	BROKEN(0, file.sections[NAMES].sh_size = 6);
	BROKEN(0, file.segment.p_type = PT_NULL);
	BROKEN(0, file.segment.p_flags = PF_R);
	BROKEN(0, file.segment.p_offset = UINT64_MAX - 0x10);
	BROKEN(1, file.symbols[1].st_name = 20);
	BROKEN(1, file.symbols[1].st_shndx = SHN_UNDEF);
	BROKEN(1, file.symbols[1].st_info = STT_OBJECT);
	BROKEN(1, file.symbols[1].st_info = STT_GNU_IFUNC);
	BROKEN(1, file.symbols[1].st_value = 0x3fff);
	BROKEN(1, file.symbols[1].st_value = 0x4020);
	BROKEN(1, file.symbols[1].st_value = file.symbols[2].st_value);
}

/* ---- refusals ---- */

static void find_word(void *word)
{
	struct probe_files files;

	probe_files_open(&files, path);
	probe_find(&files, word, &found);
}

/* @word, of the file at @path */
static void refused(const char *word, const char *part)
{
	check_refused(find_word, (void *)word, part);
}

static void test_refused(void **state)
{
	struct file file = good;

	write_file(&file, sizeof(file));
	refused("three", "has no function 'three'");
	refused("a::three", "has no function 'a::three'");
	refused("_start", "'_start' cannot have a probe");
	refused("x.cold.3", "'x.cold.3' cannot have a probe");
	refused("nosuch.so:f", "there is no library 'nosuch.so'");
	refused("/no/such.so:f", "cannot read /no/such.so");
	unlink(path);
	file.symbols[1].st_info = STT_GNU_IFUNC;
	write_file(&file, sizeof(file));
	refused("one", "chooses a function for 'one' when it starts (IFUNC)");
	refused("on?", "chooses a function for 'on?' when it starts (IFUNC)");
	refused("three", "has no function 'three'");
	unlink(path);
	file.header.e_shnum = 0;
	write_file(&file, sizeof(file));
	refused("*", "has no symbols of functions");
	unlink(path);
	refused("one", "cannot read");
	file.header.e_ident[EI_CLASS] = ELFCLASS32;
	write_file(&file, sizeof(file));
	refused("one", "is no 64-bit ELF program");
	unlink(path);
	write_file(&good, 20);
	refused("one", "is no 64-bit ELF program");
	unlink(path);
	write_file(&good, 0);
	refused("one", "it is empty");
	unlink(path);
	strcpy(path, "/tmp");
	refused("one", "is no file with a program");
}

/* A library is looked for in LD_LIBRARY_PATH; its functions have its name before theirs. */
static void test_library(void **state)
{
	struct probe_files files;
	char word[64];

	write_file(&good, sizeof(good));
	setenv("LD_LIBRARY_PATH", "/no/such:/tmp", 1);
	probe_files_open(&files, path);
	snprintf(word, sizeof(word), "%s:a::t*", strrchr(path, '/') + 1);
	probe_find(&files, word, &found);
	assert_int_equal(found.nr, 1);
	snprintf(word, sizeof(word), "%s:a::two", strrchr(path, '/') + 1);
	assert_string_equal(found.all[0].name, word);
	assert_int_equal(files.nr, 2);
	probe_files_close(&files);
	probe_functions_free(&found);
	unlink(path);
	unsetenv("LD_LIBRARY_PATH");
}

/* The danger of the file in which @name is the name of an undefined symbol */
static const char *danger_of(const char *name)
{
	struct file file = good;
	struct probe_elf elf;
	const char *danger;

	strcpy(file.names + 1, name);
	file.symbols[2] = (Elf64_Sym){ .st_name = 1, .st_info = STT_NOTYPE, .st_shndx = SHN_UNDEF };
	write_file(&file, sizeof(file));
	probe_elf_open(&elf, path);
	unlink(path);
	danger = probe_elf_danger(&elf);
	probe_elf_close(&elf);
	return danger;
}

/* Programs with C++ exceptions, and in Go, look at return addresses. */
static void test_danger(void **state)
{
	assert_non_null(strstr(danger_of("__cxa_throw"), "C++ exceptions"));
	assert_non_null(strstr(danger_of("__cxa_begin_catch"), "C++ exceptions"));
	assert_non_null(strstr(danger_of("runtime.main"), "Go program"));
	assert_null(danger_of("__cxa_thro"));
	assert_null(danger_of("main"));
}

/* ---- kinds of first instructions ---- */

#define KIND(kind, ...) do {							\
	static const unsigned char code[] = { __VA_ARGS__ };			\
										\
	assert_int_equal(probe_kind(code, sizeof(code)), kind);			\
} while (0)

static void test_kinds(void **state)
{
#ifdef __aarch64__
	KIND(2, 0x1f, 0x20, 0x03, 0xd5);	/* nop */
	KIND(1, 0x00, 0x00, 0x00, 0x14);	/* b */
	KIND(1, 0x40, 0x00, 0x00, 0x34);	/* cbz */
	KIND(1, 0x00, 0x00, 0x00, 0x90);	/* adrp */
	KIND(1, 0x00, 0x00, 0x00, 0x58);	/* ldr of a literal */
	KIND(0, 0xfd, 0x7b, 0xbf, 0xa9);	/* stp */
	KIND(0, 0x1f, 0x20, 0x03);
#else
	KIND(2, 0x90, 0xc3);			/* nop */
	KIND(2, 0x0f, 0x1f, 0x00);
	KIND(1, 0x55, 0xc3);			/* push %rbp */
	KIND(1, 0x41, 0x57);			/* push %r15 */
	KIND(1, 0xe9, 0x00, 0x00, 0x00, 0x00);	/* jmp */
	KIND(1, 0x74, 0x02);			/* jz */
	KIND(0, 0x41, 0x89);
	KIND(0, 0x0f, 0x1e);
	KIND(0, 0x48, 0x83, 0xec, 0x08);	/* sub */
	KIND(0, 0x90);
#endif
}

#define TEST(name) cmocka_unit_test(test_##name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(own_functions), TEST(file), TEST(broken_files), TEST(library), TEST(danger),
		TEST(kinds), TEST(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
