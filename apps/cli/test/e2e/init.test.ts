import { existsSync, readFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { PlainTalk } from '../interactive/stage/plain-talk.ts'
import { stage } from './stage/stage.ts'

test('loader init writes what can be seen of the project, and the next run tells it to the model', async () => {
  await using one = await stage({ ...line('I see.'), repeat: 'any' })
  one.write('.git/HEAD', 'ref: refs/heads/main\n')
  one.write('package.json', '{ "scripts": { "test": "node --test" } }')
  one.write('README.md', '# Sums\n\n![badge](x)\n\nAdds numbers,\nand nothing else.\n')
  one.write('src/sum.js', '')
  one.write('node_modules/x/a.js', '')
  expect(await one.runHere(['init'])).toMatchObject({ code: 0, stdout: expect.stringContaining('AGENTS.md') })
  const page = readFileSync(one.path('AGENTS.md'), 'utf8')
  expect(page).toMatch(/^# project\n\nAdds numbers, and nothing else\.\n\n## The project\n\n- Kind of project: node\n/)
  expect(page).toContain('- Folders: `src`\n')
  expect(page).toMatch(/## Commands\n\n- test: `npm (run )?test`\n/)
  await one.runHere(['-p', 'Look around', '--mode', 'execute', '--config', 'completionCheck=false'])
  expect(one.server.requests[0]?.request?.system).toContain('Adds numbers, and nothing else.')
})

test.for(['AGENTS.md', 'CLAUDE.md'])('loader init leaves %s as it is', async (name) => {
  await using one = await stage()
  one.write(name, 'mine\n')
  const ended = await one.runHere(['init'])
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('is left as it is')
  expect(readFileSync(one.path(name), 'utf8')).toBe('mine\n')
})

test('/review looks and changes nothing; /status and /config tell', async () => {
  const write = call('write', { file_path: 'made.txt', content: 'x\n' })
  await using talk = await PlainTalk.begin({ lines: [line('At once.', write), line('Nothing is wrong.')] })
  await talk.hear('> ')
  talk.say('/config')
  expect(await talk.hear('permissionMode')).toContain('setting')
  talk.say('/review')
  await talk.hear('Nothing is wrong.')
  await talk.hear('> ')
  expect(existsSync(talk.workspace.path('made.txt'))).toBe(false)
  talk.say('/status')
  await talk.hear('ollama/scripted')
})
