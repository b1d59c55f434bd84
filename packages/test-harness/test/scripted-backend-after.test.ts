import { expect, test } from 'vitest'
import { eventLines, line, ScriptedBackend } from '../src/index.ts'
import { user } from './asking.ts'
import { record, resume, said, script } from './scripted-sessions.ts'

const whole = await record(ScriptedBackend.from(script))

test('a script that is not interrupted is spoken to its end', () => {
  expect(said(whole)).toEqual([
    'Reading.; read call_1 ; read call_2 ',
    'Read.',
    'failed: overloaded',
    'cut',
    '; write call_5_1 ',
    '; write call_3 {"path',
    '; write call_4 ; nothing call_4 ',
    'Done.',
  ])
})

test('a script goes on in another process wherever the first one ended', async () => {
  for (let end = 2; end <= whole.length; end += 1) {
    const cut = whole.slice(0, end)
    const backend = ScriptedBackend.from(script, { after: cut })
    const resumed = await resume(cut, backend)
    expect(said(resumed), `cut after event ${end}`).toEqual(said(whole))
    backend.assertDone()
  }
})

test('a script goes on in a third process as well, whatever the second one made of what the first one left', async () => {
  const asked = whole.findLastIndex(({ type }) => type === 'model.asked')
  const cut = whole.slice(0, asked + 1)
  const second = await resume(cut, ScriptedBackend.from(script, { after: cut }))
  expect(eventLines(second)).toContain('model.interrupted(crashed)')
  for (let end = cut.length; end <= second.length; end += 1) {
    const again = second.slice(0, end)
    const backend = ScriptedBackend.from(script, { after: again })
    expect(said(await resume(again, backend)), `cut after event ${end}`).toEqual(said(whole))
    backend.assertDone()
  }
})

test('a request that is one too many is counted from the beginning of the session', async () => {
  const backend = ScriptedBackend.from(script, { after: whole })
  backend.assertDone()
  const asking = (async () => {
    const request = {
      requestId: 'req_9',
      purpose: 'answer',
      system: '',
      messages: [user('And now?')],
      tools: [],
    } as const
    for await (const _event of backend.stream(request)) continue
  })()
  await expect(asking).rejects.toThrow(
    'Request 9 has no line: the script has 8. The request ends with a message of the user: "And now?".',
  )
})

test('a history that is longer than the script belongs to another script', () => {
  expect(() => ScriptedBackend.from([line('One.')], { after: whole })).toThrow(
    'The history has used up 8 lines, but the script has 1.',
  )
})
