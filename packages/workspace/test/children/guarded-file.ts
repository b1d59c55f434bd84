/**
 * Tries, within walls, to change a guarded file of a new project in a folder, and says what came of it.
 *
 *   node guarded-file.ts <folder>
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { childVariables, findWalls } from '@loader/workspace'

const [, , folder = ''] = process.argv
const root = join(folder, 'project')
mkdirSync(join(root, '.vscode'), { recursive: true })
mkdirSync(join(root, 'node_modules/dep'), { recursive: true })
writeFileSync(join(root, '.vscode/settings.json'), '{}')
writeFileSync(join(root, 'node_modules/dep/index.js'), '')
const walls = await findWalls({ root })
const ended = await walls.start(
  {
    shell: '/bin/bash',
    command: 'echo x > made; echo bad > .vscode/settings.json; mv .vscode moved; ls; cat .vscode/settings.json',
    cwd: root,
    variables: childVariables({}),
    graceMs: 500,
    timeoutMs: 60_000,
    cap: { headBytes: 4000, tailBytes: 4000 },
  },
  'work',
  { root, session: join(folder, 'session'), caches: join(folder, 'caches') },
)
process.stdout.write(JSON.stringify({ ending: ended.ending, output: ended.output.text(), walls: ended.walls.kind }))
