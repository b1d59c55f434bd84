import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { needing } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { CommandTable } from '../../src/arguments/command.ts'
import { commands, main } from '../../src/commands/table.ts'
import { bashCompletion } from '../../src/completion/bash.ts'
import { fishCompletion } from '../../src/completion/fish.ts'
import { zshCompletion } from '../../src/completion/zsh.ts'

const table: CommandTable = { main, commands }
const shells = [
  { shell: 'bash', script: bashCompletion(table), check: ['-n'] },
  { shell: 'zsh', script: zshCompletion(table), check: ['-n'] },
  { shell: 'fish', script: fishCompletion(table), check: ['--no-execute'] },
]

function isThere(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0
}

describe.for(shells)('for $shell', ({ shell, script, check }) => {
  test('has every command and every option', () => {
    for (const { name, options } of [main, ...commands]) {
      for (const word of name.split(' ')) expect(script).toContain(word)
      for (const option of options)
        expect(script).toContain(shell === 'fish' ? `-l ${option.name}` : `--${option.name}`)
    }
  })

  test.skipIf(!isThere(shell))(
    needing(!isThere(shell) && `${shell} is not installed`, 'is understood by the shell'),
    async () => {
      await using at = await temporaryWorkspace({ files: { script } })
      for (const options of [check, []]) {
        const { status, stderr } = spawnSync(shell, [...options, at.path('script')], { encoding: 'utf8' })
        expect([status, stderr]).toEqual([0, ''])
      }
    },
  )
})

/** What is offered for the last word. */
const offers = [
  [['sess'], ['sessions']],
  [['--perm'], ['--permission-mode']],
  [['--permission-mode', 're'], ['read-only']],
  [['-m', 'x', 'sta'], ['status']],
  [['permissions', 'ex'], ['explain']],
  [['permissions', 'add', 'de'], ['deny']],
  [['sessions', '--se'], ['--search']],
  [['export', '--format', 'm'], ['md']],
  [['-p', '--max-t'], ['--max-turns']],
  [['-p', 'sess'], []],
  [['login', 'mis'], ['mistral']],
  [['models', 'gr'], ['groq']],
  [['config', 'se'], ['set']],
  [['config', '--js'], ['--json']],
  [['config', 'set', '--pro'], ['--project']],
  [['sessions', '--all', '--se'], ['--search']],
  [['sessions', 'co'], ['copy']],
  [['-r', 'ses_1'], ['ses_1abc']],
  [['show', 'ses_2'], ['ses_2def']],
  [['-m', 'ollama/q'], ['ollama/qwen3:8b']],
  [['-p', '-m', 'ollama/l'], ['ollama/llama3.1:8b']],
] as const

/** In place of the command, which the scripts ask for sessions and models. */
const fakeLoader = `#!/bin/sh
[ "$2" = sessions ] && printf 'ses_1abc\\tFix: it\\nses_2def\\tOther\\n'
[ "$2" = models ] && printf 'ollama/qwen3:8b\\nollama/llama3.1:8b\\n'
true
`

async function withLoader() {
  const at = await temporaryWorkspace({ files: { 'bin/loader': fakeLoader } })
  chmodSync(at.path('bin/loader'), 0o755)
  const env = { ...process.env, PATH: `${at.path('bin')}:${process.env['PATH'] ?? ''}` }
  return { at, env }
}

describe.skipIf(!isThere('bash'))(needing(!isThere('bash') && 'bash is not installed', 'in bash'), () => {
  async function offered(...words: readonly string[]): Promise<string[]> {
    const { at, env } = await withLoader()
    await using _place = at
    const line = ['loader', ...words]
    const set = `COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _loader`
    const { stdout } = spawnSync(
      'bash',
      ['-c', `${bashCompletion(table)}\n${set}; printf '%s\\n' "\${COMPREPLY[@]}"`],
      { encoding: 'utf8', env },
    )
    return stdout.split('\n').filter((word) => word !== '')
  }

  test.for(offers)('%j offers %j', async ([words, expected]) => {
    expect(await offered(...words)).toEqual(expected)
  })
})

describe.skipIf(!isThere('fish'))(needing(!isThere('fish') && 'fish is not installed', 'in fish'), () => {
  test.for(offers)('%j offers %j', async ([words, expected]) => {
    const { at: bin, env } = await withLoader()
    await using _place = bin
    await using at = await temporaryWorkspace({ files: { script: fishCompletion(table) } })
    const program = 'source $argv[1]; complete -C $argv[2]'
    const { stdout } = spawnSync('fish', ['-c', program, at.path('script'), `loader ${words.join(' ')}`], {
      cwd: at.root,
      env,
      encoding: 'utf8',
    })
    expect(stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])).toEqual(expected)
  })
})
