import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inOneLine } from '@loader/readings'
import { openWorkspace } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printLines } from '../console/print.ts'
import { type ProjectLook, projectPage } from '../custom/project-page.ts'
import { placesOf } from '../places/places.ts'

const ours = 'AGENTS.md'
/** What agents read instead of it. */
const instructions = [ours, 'CLAUDE.md']

/** Writes AGENTS.md by looking at the project. What is there already is never changed. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { root } = placesOf(given, console)
  const there = instructions.find((name) => existsSync(join(root, name)))
  if (there !== undefined) {
    throw new UsageError(`${join(root, there)} is there already, and is left as it is.`, 'init')
  }
  const file = join(root, ours)
  // `wx` fails if it was made in the meantime.
  writeFileSync(file, projectPage(await lookAt(root)), { flag: 'wx' })
  printLines(console, [
    `Written: ${inOneLine(file)}`,
    'Read it, and say what it cannot know: how you want things to be done.',
  ])
  return 'ok'
}

async function lookAt(root: string): Promise<ProjectLook> {
  const { kind, packageManager, commands = {} } = await openWorkspace({ root }).facts()
  const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  const readme = entries.find(({ name }) => /^readme(?:\.md|\.txt|\.rst)?$/i.test(name))
  return {
    name: basename(root),
    kind,
    packageManager,
    commands,
    folders: entries.filter((entry) => entry.isDirectory() && !made.has(entry.name)).map(({ name }) => name),
    readme: readme?.isFile() ? { name: readme.name, text: readFileSync(join(root, readme.name), 'utf8') } : undefined,
  }
}

/** Folders that tools make. */
const made: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'target',
  'vendor',
  'coverage',
  'out',
  'venv',
])
