import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCounts } from '../../src/goal/read-counts.ts'
import { outputs } from './runner-output.table.ts'

test.for(outputs)('the counts of $runner are read', ({ output, counts }) => {
  expect(readCounts(output)).toEqual(counts)
})

test.for(outputs)('so are those of $runner among other lines', ({ output, counts }) => {
  expect(readCounts(`> project@1.0.0 test\n> run it\n\n${output}\nDone in 1 s.\n`)).toEqual(counts)
})

test.for(outputs)('so are those of $runner with the line ends of Windows', ({ output, counts }) => {
  expect(readCounts(output.replaceAll('\n', '\r\n'))).toEqual(counts)
})

test('any output can be read', () => {
  const lines = fc.array(fc.constantFrom(...outputs.flatMap(({ output }) => output.split('\n'))))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        lines.map((each) => each.join('\n')),
      ),
      (output) => {
        const counts = readCounts(output)
        expect(counts === undefined || Object.values(counts).every((count) => count >= 0)).toBe(true)
      },
    ),
  )
})
