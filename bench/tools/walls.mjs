// What walls cost a command: beside the same shell started bare, in a project with packages, guarded paths, tools and caches.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childVariables, findWalls } from '@loader/workspace'
import { figure } from './files.mjs'
import { git } from './tree.mjs'

const rounds = 100
const guarded = [
  '.vscode/settings.json',
  '.idea/workspace.xml',
  '.husky/pre-commit',
  '.npmrc',
  '.github/workflows/ci.yml',
  '.envrc',
]

export async function wallFigures(root) {
  for (const path of guarded) write(join(root, path))
  for (const name of ['.', 'packages/a', 'packages/b']) write(join(root, name, 'node_modules/dep/index.js'))
  write(join(root, '.gitignore'), 'node_modules\n')
  git(root, 'init', '-q')
  const folder = mkdtempSync(join(tmpdir(), 'loader-walls-'))
  try {
    const walls = await findWalls({ root })
    if ((await walls.available()).kind === 'none') return []
    const place = { root, session: join(folder, 'session'), caches: join(folder, 'caches') }
    const inner = { shell: '/bin/bash', command: 'true', cwd: root, variables: childVariables({}) }
    const command = { ...inner, graceMs: 1000, timeoutMs: 60_000, cap: { headBytes: 1000, tailBytes: 1000 } }
    const contenders = {
      bare: () => bare(root),
      open: () => walls.start(command, 'open', place),
      look: () => walls.start(command, 'look', place),
      work: () => walls.start(command, 'work', place),
    }
    const least = await leastOf(contenders)
    return [
      figure('a walled command, beyond a bare spawn', least.work - least.bare, 'ms', 20),
      figure('a walled command that looks, beyond a bare spawn', least.look - least.bare, 'ms', 20),
      figure('a command without walls, beyond a bare spawn', least.open - least.bare, 'ms', null),
      figure('a bare spawn', least.bare, 'ms', null),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The least of interleaved rounds: what others do on the machine only adds. */
async function leastOf(contenders) {
  const least = Object.fromEntries(Object.keys(contenders).map((name) => [name, Infinity]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const start = performance.now()
      await run()
      least[name] = Math.min(least[name], performance.now() - start)
    }
  }
  return least
}

function bare(cwd) {
  return new Promise((resolve) => spawn('/bin/bash', ['-c', 'true'], { cwd, stdio: 'ignore' }).once('close', resolve))
}

function write(path, text = '{}\n') {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}
