import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import * as z from 'zod'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

const Published = z.object({ private: z.boolean().default(false) })

/** The folders of the packages that users can install. */
export const packages = readdirSync(join(root, 'packages')).filter((name) => {
  return !Published.parse(JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))).private
})

/** What runs a program of a document: this Node on the sources, or the Node of the machine on what is published. */
export type Runner = 'sources' | 'built'

/** `HOST_NODE` is the one that users have; `.ci/run` names it. */
export const nodeOf: Readonly<Record<Runner, string>> = {
  sources: process.execPath,
  built: process.env['HOST_NODE'] || process.execPath,
}

export const isBuilt = packages.every((name) => existsSync(join(root, 'packages', name, 'dist')))

export interface Program {
  readonly text: string
  /** The expected output, where the document shows it. */
  readonly prints: string | undefined
}

/** The programs in a document: blocks of JavaScript, each with the block of text that follows it. */
export function programsIn(document: string): Program[] {
  const blocks = document.matchAll(/^```js\n([^]*?)^```$(?:\n\n^```text\n([^]*?)^```$)?/gm)
  return [...blocks].map(([, program = '', prints]) => ({ text: program, prints }))
}

/** Runs a program where the packages are installed, in front of a model that says hello. */
export async function ran(program: string, runner: Runner) {
  await using place = await installed()
  writeFileSync(place.path('program.mjs'), program)
  await using server = await wireServer({
    lines: [{ text: 'Hello.', usage: { inputTokens: 9, outputTokens: 2 }, repeat: 'any' }],
  })
  // The address of the model is the only thing that a document cannot know.
  const words = program.includes('backendFor(name)') ? ['ollama/scripted'] : []
  const child = spawn(nodeOf[runner], ['program.mjs', ...words], {
    cwd: place.root,
    env: { ...environmentOf(runner), NO_COLOR: '1', OLLAMA_HOST: server.url, TMPDIR: place.root },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, stdout, stderr }
}

/** What a runner sees. By options in a variable, because programs start processes of their own on the same sources. */
export function environmentOf(runner: Runner): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...environment } = process.env
  if (runner === 'built') return environment
  return { ...environment, NODE_OPTIONS: '--conditions=@loader/source --disable-warning=ExperimentalWarning' }
}

/** A folder in which the packages are installed, as far as a program can tell. */
async function installed() {
  const place = await temporaryWorkspace()
  mkdirSync(place.path('node_modules/@loader'), { recursive: true })
  for (const name of packages) {
    symlinkSync(join(root, 'packages', name), place.path(`node_modules/@loader/${name}`), 'junction')
  }
  symlinkSync(realpathSync(join(root, 'apps/cli/node_modules/zod')), place.path('node_modules/zod'), 'junction')
  return place
}
