import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { junit, type TestCase } from '../wire/junit.ts'
import { WireScript, WireScripts } from '../wire/wire-script.ts'

const wronglyCalled = 2

/** An error for a wrong command line: its message goes to stderr, and the command exits with 2. */
export function usageError(message: string): Error {
  return Object.assign(new Error(message), { exitCode: wronglyCalled })
}

export type Options = Readonly<Partial<Record<string, string>>>

/** The one file that a command is about, and its options; every option has a value. */
export function readArguments(
  args: readonly string[],
  names: readonly string[],
): { readonly file: string; readonly options: Options } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      allowPositionals: true,
    })
    const [file] = positionals
    if (file === undefined || positionals.length > 1) throw usageError('Name one script.')
    return { file, options: values as Options }
  } catch (error) {
    if (error instanceof TypeError) throw usageError(error.message)
    throw error
  }
}

export function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw usageError(`--${name} takes a number, not ${text}.`)
}

/** The scripts in a file, by name when there are several. */
export function readScript(file: string): WireScript | WireScripts {
  const json = jsonOf(file)
  const isSeveral = typeof json === 'object' && json !== null && 'scripts' in json
  const result = isSeveral ? WireScripts.safeParse(json) : WireScript.safeParse(json)
  if (result.success) return result.data
  throw usageError(`${file} is no script:\n${z.prettifyError(result.error)}`)
}

export function writeReport(file: string | undefined, name: string, report: object, cases: readonly TestCase[]): void {
  if (file === undefined) return
  writeFileSync(file, file.endsWith('.xml') ? junit(name, cases) : `${JSON.stringify(report, null, 2)}\n`)
}

/** Runs a command: handles help and version, the exit code, and usage errors. */
export async function runCommand(
  usage: string,
  command: (args: readonly string[]) => Promise<number>,
): Promise<number> {
  const args = process.argv.slice(2)
  if (args.includes('--version')) return say(`${version()}\n`)
  if (args.includes('--help') || args.includes('-h')) return say(usage)
  try {
    return await command(args)
  } catch (error) {
    if (!(error instanceof Error && 'exitCode' in error)) throw error
    process.stderr.write(`${error.message}\n\n${usage}`)
    return wronglyCalled
  }
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('@loader/test-harness/package.json')
  return z.object({ version: z.string() }).parse(manifest).version
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw usageError(`${file} is not JSON: ${error.message}`)
    if (error instanceof Error && 'code' in error) throw usageError(`${file} cannot be read: ${error.message}`)
    throw error
  }
}
