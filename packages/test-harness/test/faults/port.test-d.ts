import * as fs from 'node:fs'
import { expectTypeOf, test } from 'vitest'
import type { FileSystemPort } from '../../src/faults/file-system-port.ts'

test('node:fs is a file system port', () => {
  const port: FileSystemPort = fs
  expectTypeOf(port).toEqualTypeOf<FileSystemPort>()
})
