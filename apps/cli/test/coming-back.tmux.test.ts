import { mkdirSync, writeFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'

const rest = /\n─+\n>\n─+\n(?:execute|verify|ready|plan) \| [^\n]+$/

describe.skipIf(!hasTmux || !fromCi)(`coming back${hasTmux ? '' : ' (skipped: tmux is not installed)'}`, () => {
  test('prints what was said: the latest turns whole, older ones as their first words', async () => {
    const lines = [
      line('First answer.\n\nIts second part.'),
      line('I look.', call('bash', { command: 'echo seen' })),
      line('Second answer.'),
      line('Third **answer**.\n\nIts second part.'),
      line('Again.'),
    ]
    await using talk = await TmuxTalk.begin({ columns: 80, lines })
    talk.start()
    await talk.see(rest)
    for (const [task, answer] of [
      ['Say one', 'Its second part.'],
      ['Say two', 'Second answer.'],
      ['Say three', 'Third answer.'],
    ]) {
      talk.say(task ?? '')
      await talk.see(new RegExp(`> ${task}\\n[^]*${answer}[^]*■[^]*${rest.source}`))
    }
    talk.press('C-d')
    await talk.see(/\$$/)
    talk.start('-c')
    const screen = await talk.see(new RegExp(`Third answer\\.[^]*${rest.source}`))
    expect(screen).toMatch(/\n> Say one\n {2}First answer\.\n\n─+\n> Say two\n/)
    expect(screen).toMatch(/● bash echo seen\n {2}✓ seen\n\nSecond answer\.\n\n■/)
    expect(screen).toMatch(/> Say three\n[^]*Third answer\.\n\nIts second part\.\n\n■/)
    expect(screen.match(/Its second part/g)).toHaveLength(1)
    talk.press('Up')
    await talk.see(/\n─+\n> Say three\n─+\n[^\n]+$/)
  })

  test('by -r without a name chooses from a list', async () => {
    await using talk = await TmuxTalk.begin({ columns: 100, lines: [line('One.'), line('Two.')] })
    for (const task of ['Plant apples', 'Plant pears']) {
      talk.start(task)
      await talk.see(new RegExp(`■ [^]*${rest.source}`))
      talk.press('C-d')
      await talk.see(/Go on later[^\n]*\n\$$/)
    }
    talk.start('-r')
    await talk.see(/─ Sessions of this project ─+\n>\n→ Plant pears [^\n]+\n {2}Plant apples [^\n]+\n─/)
    talk.type('apples')
    await talk.see(/> apples\n→ Plant apples [^\n]+\n─/)
    talk.press('Enter')
    const screen = await talk.see(new RegExp(`> Plant apples\\n[^]*${rest.source}`))
    expect(screen).toContain('One.')
    expect(screen).not.toContain('Sessions of this project')
  })

  test('the keys and the bell are those of the settings, and the title says what goes on', async () => {
    const lines = [line('I run it.', call('bash', { command: 'true', reach: 'network' })), line('Then not.')]
    await using talk = await TmuxTalk.begin({ columns: 80, lines })
    mkdirSync(talk.workspace.path('config'), { recursive: true })
    writeFileSync(
      talk.workspace.path('config/settings.json'),
      '{ "keys": { "loader.history": "ctrl+t" }, "notify": false }',
    )
    talk.start('--permission-mode', 'prompt')
    await talk.see(rest)
    expect(talk.title).toMatch(/^loader: loader-workspace/)
    talk.say('Run it')
    await talk.see('── y/s/a/n ─')
    expect(talk.title).toMatch(/^\? loader: /)
    talk.say('n')
    await talk.see(new RegExp(`Then not\\.[^]*${rest.source}`))
    expect(talk.title).toMatch(/^loader: /)
    talk.press('C-t')
    await talk.see('─ What was said before ─')
    talk.press('Escape')
    await talk.see(rest)
  })
})
