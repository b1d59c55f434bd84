import { call, line } from '@loader/test-harness'
import type { Tool, ToolContext } from '@loader/session-core/coding'
import { isSessionEvent, shownText } from '@loader/session-core'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { type Scene, scene } from './scene/scene.ts'

const lines = [line('Now.', call('asking', {})), ...Array.from({ length: 6 }, () => line('Done.'))]
const config = { completionCheck: false, workflowMode: 'execute', permissionMode: 'danger-full-access' } as const

/** A tool that asks the user while it runs. */
function asking(run: (ask: NonNullable<ToolContext['ask']>) => Promise<string>): Tool {
  return {
    name: 'asking',
    description: 'Asks.',
    input: z.object({}),
    examine: async (input) => ({ valid: true, input, effect: 'unknown', paths: [], intent: [] }),
    run: async (_examined, { ask }) => ({ outcome: 'ok', text: await run(ask ?? (async () => undefined)) }),
  }
}

async function told(one: Scene): Promise<readonly string[]> {
  return (await one.history()).filter(isSessionEvent).flatMap((event) => {
    if (event.type === 'question.asked') return [`asked ${shownText(event.text)}`]
    if (event.type === 'question.answered') return [`${event.outcome} ${shownText(event.answer ?? '')}`.trim()]
    return event.type === 'tool.finished' ? [`${event.outcome} ${shownText(event.text)}`] : []
  })
}

test('a call asks one question after the other, however many it asks at once', async () => {
  const tool = asking(async (ask) => {
    const answers = await Promise.all(['One?', 'Two?', 'Three?'].map((text) => ask({ text })))
    return answers.join(' ')
  })
  await using one = await scene({ lines, config, tools: [tool] })
  await one.agent.run('Ask', { askUser: async ({ text }) => `${text.slice(0, -1)}!` })
  const questions = ['One', 'Two', 'Three'].flatMap((word) => [`asked ${word}?`, `answered ${word}!`])
  expect(await told(one)).toEqual([...questions, 'ok One! Two! Three!'])
})

test('a question that is open when the process dies is closed, the call unknown, and the next one is asked', async () => {
  let isAsked = () => {}
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const tool = asking(async (ask) => (await ask({ text: 'Well?' })) ?? 'nobody')
  await using one = await scene({ lines, config, tools: [tool] })
  const running = one.agent.run('Ask', {
    askUser: () => {
      isAsked()
      return new Promise(() => {})
    },
  })
  running.catch(() => undefined)
  await asked
  const next = one.again({ lines: [line('Again.', call('asking', {})), ...lines.slice(1)] })
  expect(await next.resumeSession(one.agent.session.id, { takeover: true })).toBe(true)
  await next.continue({ askUser: async () => 'Yes' })
  expect(await told(one)).toEqual([
    'asked Well?',
    'unanswered',
    expect.stringMatching(/^unknown /),
    'asked Well?',
    'answered Yes',
    'ok Yes',
  ])
})
