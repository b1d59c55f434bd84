import * as fs from 'node:fs'
import type { FileSystemPort } from '@loader/test-harness/faults'
import { expectTypeOf, test } from 'vitest'
import type { FileSystem } from '../src/index.ts'

test('node:fs is a file system', () => {
  const fileSystem: FileSystem = fs
  expectTypeOf(fileSystem).toEqualTypeOf<FileSystem>()
})

test('the file system port of the test harness is one, too', () => {
  expectTypeOf<FileSystemPort>().toExtend<FileSystem>()
})
