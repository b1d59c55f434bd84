import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { PlainTalk } from '../interactive/stage/plain-talk.ts'
import { type Stage, stage } from './stage/stage.ts'

const rest = { ...line('That is all.'), repeat: 'any' } as const
const push = call('bash', { command: 'git push' })
const pushing = '---\ndescription: Publishes\nallowed-tools: Bash(git push)\n---\nPublish $1 from here, now.\n'

const said = (one: Stage, request = 0) => JSON.stringify(one.server.requests[request]?.request?.messages)

describe('a command in a file', () => {
  test.for(['.loader/commands/git/publish.md', '.claude/commands/git/publish.md', '../config/commands/git/publish.md'])(
    'of %s is a task with the words behind it',
    async (file) => {
      await using one = await stage(rest)
      one.write(file, pushing)
      const ended = await one.runHere(['-p', '/git:publish "the site"', '--mode', 'execute'])
      expect(said(one)).toContain('Publish the site from here, now.')
      expect(ended.stderr.includes('does not count')).toBe(!file.includes('config'))
    },
  )

  test('of the project comes before one of the user', async () => {
    await using one = await stage(rest)
    one.write('.loader/commands/look.md', 'Look at the project itself')
    one.write('../config/commands/look.md', 'Look elsewhere')
    await one.runHere(['-p', '/look'])
    expect(said(one)).toContain('Look at the project itself')
  })

  test('of a project allows nothing before the user trusts it, and is done all the same', async () => {
    await using one = await stage(line('Now.', push), line('I may not.'), line('Now.', push), rest)
    one.write('.loader/commands/publish.md', pushing)
    const permitOf = async () => {
      const [row] = await one.sessions()
      const { history } = await one.session(row?.id ?? '')
      return history.flatMap((event) => (event.type === 'permission.decided' ? [Reflect.get(event, 'permit')] : []))
    }
    const flags = ['--permission-mode', 'prompt', '--config', 'completionCheck=false']
    const first = await one.runHere(['-p', '/publish it', ...flags])
    expect(first.stderr).toMatch(
      /What \/publish allows \(Bash\(git push\)\) does not count: this project is not trusted/,
    )
    expect(await permitOf()).toEqual(['deny'])
    await one.runHere(['permissions', 'trust'])
    const trusted = await one.runHere(['-p', '/publish it', ...flags])
    expect(trusted.stderr).not.toContain('does not count')
    expect((await permitOf())[0]).toBe('allow')
  })

  test('is not found through a link, nor by a name that leads elsewhere', async () => {
    await using one = await stage(rest)
    writeFileSync(join(one.config, 'private.md'), 'a secret')
    mkdirSync(one.path('.loader/commands'), { recursive: true })
    symlinkSync(join(one.config, 'private.md'), one.path('.loader/commands/private.md'))
    await one.runHere(['-p', '/private'])
    expect(said(one)).not.toContain('a secret')
    await one.runHere(['-p', '/..:..:config:private'])
    expect(said(one, one.server.requests.length - 1)).not.toContain('a secret')
  })
})

describe('in a conversation', () => {
  test('such commands are listed by /help, and done', async () => {
    const files = {
      '.loader/commands/greet-all.md':
        '---\ndescription: Greets people\nargument-hint: <names>\n---\nGreet $ARGUMENTS, please',
    }
    await using talk = await PlainTalk.begin({ lines: [rest], files })
    await talk.hear('> ')
    talk.say('/help')
    expect(await talk.hear('(of this project)')).toContain('/greet-all <names>  Greets people')
    talk.say('/greet-all Ann and Bob')
    await talk.hear('That is all.')
    expect(JSON.stringify(talk.server.requests[0]?.request?.messages)).toContain('Greet Ann and Bob, please')
  })

  test('what one allows ends with its task', async () => {
    await using talk = await PlainTalk.begin({
      lines: [line('Now.', call('bash', { command: 'echo x > y' })), rest],
      words: ['--permission-mode', 'prompt'],
    })
    mkdirSync(talk.workspace.path('config', 'commands'), { recursive: true })
    writeFileSync(
      talk.workspace.path('config', 'commands', 'note.md'),
      '---\nallowed-tools: Bash(echo:*), Bash\n---\nNote it in y',
    )
    await talk.hear('> ')
    talk.say('/note')
    await talk.hear('That is all.')
    expect(existsSync(talk.workspace.path('y'))).toBe(true)
  })
})
