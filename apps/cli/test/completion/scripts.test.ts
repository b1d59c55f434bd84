import { spawnSync } from 'node:child_process'
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
  [['-p', '--max'], ['--max-turns']],
  [['-p', 'sess'], []],
  [['completion', 'z'], ['zsh']],
] as const

describe.skipIf(!isThere('bash'))(needing(!isThere('bash') && 'bash is not installed', 'in bash'), () => {
  function offered(...words: readonly string[]): string[] {
    const line = ['loader', ...words]
    const set = `COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _loader`
    const { stdout } = spawnSync(
      'bash',
      ['-c', `${bashCompletion(table)}\n${set}; printf '%s\\n' "\${COMPREPLY[@]}"`],
      { encoding: 'utf8' },
    )
    return stdout.split('\n').filter((word) => word !== '')
  }

  test.for(offers)('%j offers %j', ([words, expected]) => {
    expect(offered(...words)).toEqual(expected)
  })
})

describe.skipIf(!isThere('fish'))(needing(!isThere('fish') && 'fish is not installed', 'in fish'), () => {
  test.for(offers)('%j offers %j', async ([words, expected]) => {
    await using at = await temporaryWorkspace({ files: { script: fishCompletion(table) } })
    const program = 'source $argv[1]; complete -C $argv[2]'
    const { stdout } = spawnSync('fish', ['-c', program, at.path('script'), `loader ${words.join(' ')}`], {
      cwd: at.root,
      encoding: 'utf8',
    })
    expect(stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])).toEqual(expected)
  })
})
