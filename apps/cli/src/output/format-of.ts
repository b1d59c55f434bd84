import type { Given } from '../arguments/given.ts'

/** The output format that the command line asks for. `--json` is short for `--output-format json`. */
export function formatOf(given: Given): string | undefined {
  return given.value('output-format') ?? (given.has('json') ? 'json' : undefined)
}
