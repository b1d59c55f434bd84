import { describe, expect, test } from 'vitest'
import { builtFiles } from '../../src/runners/built-files.ts'

const files: Readonly<Record<string, string>> = {
  'src/main.c': '#include "sum.h"\n',
  'src/sum.c': '#include "sum.h"\n#include <stdio.h>\n',
  'src/sum.h': '',
  'tests/sum.c': '# include "must.h"\n#include <sum.h>\n',
  'tests/all.c': '',
  'tests/must.h': '',
}

async function sorted(makefile: string, targets: readonly string[] = ['test']) {
  const project = { paths: Object.keys(files), text: async (path: string) => files[path] }
  const { tests, product } = await builtFiles({ text: makefile, folder: '', targets }, project)
  return { tests: [...tests].toSorted(), product: [...product].toSorted() }
}

const apart = { tests: ['tests/all.c', 'tests/must.h', 'tests/sum.c'], product: ['src/sum.c', 'src/sum.h'] }
const nothing = { tests: [], product: [] }

describe('sources of a check are told from those of the product by what else is built of them', () => {
  test.for<[string, string]>([
    ['recipes', 'app:\n\tcc -o app src/main.c src/sum.c\ntest:\n\tcc tests/all.c tests/sum.c src/sum.c\n'],
    [
      'object files, by the folder that fits best',
      'app: src/main.o src/sum.o\n\tcc $^\ntest: tests/run\n\t./tests/run\ntests/run: tests/all.o tests/sum.o src/sum.o\n',
    ],
    [
      'object files in a folder of their own',
      'app: build/src/main.o build/src/sum.o\ntest: build/tests/all.o build/tests/sum.o build/src/sum.o\n',
    ],
    [
      'a target of another name than the first, which has what the check does not have',
      'all: app test\napp: src/main.c src/sum.c\ntest: tests/all.c tests/sum.c src/sum.c\n',
    ],
    [
      'a target with a setting of its own',
      'app: CFLAGS = -O2\napp: src/main.c src/sum.c\ntest: tests/all.c tests/sum.c src/sum.c\n',
    ],
  ])('in %s', async ([, makefile]) => {
    expect(await sorted(makefile)).toEqual(apart)
  })

  test('in variables and functions; what a function of make leaves out counts as given to it', async () => {
    const makefile =
      'S := $(filter-out src/main.c,$(wildcard src/*.c))\nT = $(wildcard tests/*.c)\napp: $(S:.c=.o) src/main.o\ntest: $(patsubst %.c,%.o,$(T)) \\\n  ${S:.c=.o}\n'
    expect(await sorted(makefile)).toEqual({ ...apart, product: ['src/main.c', ...apart.product] })
  })

  test('in a library that is made first, without a program', async () => {
    const makefile = 'all: lib.a\nlib.a: src/sum.o\n\tar rcs $@ $^\ntest: tests/all.o tests/sum.o lib.a\n'
    expect(await sorted(makefile)).toEqual(apart)
  })

  test.for<[string, string]>([
    ['there is nothing but the check', 'test: tests/all.c tests/sum.c src/sum.c\n'],
    [
      'another target is the check in another form',
      'test: tests/all.c tests/sum.c src/sum.c\nasan: src/main.c tests/all.c tests/sum.c src/sum.c\n',
    ],
    [
      'another target has only a part of the check',
      'test: tests/all.c tests/sum.c src/sum.c\nlint:\n\tcppcheck tests/sum.c tests/all.c\n',
    ],
    ['the first target makes the check as well', 'all: test\ntest: tests/all.c tests/sum.c src/sum.c\n'],
    ['a target is made of itself', 'test: a\na: test tests/all.c $(A)\nA = $(A) $(B)\n'],
    ['there is no such target', 'app: src/main.c\n'],
    ['it is empty', ''],
  ])('not where %s', async ([, makefile]) => {
    expect(await sorted(makefile)).toEqual(nothing)
  })
})
