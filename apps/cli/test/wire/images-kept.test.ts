import type { FilePart } from '@loader/session-core'
import { line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { png } from '../written/picture.ts'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'

/** Larger than what events hold themselves, so that each is a blob. */
const [first, second] = [png(60, 60, 1), png(60, 60, 2)].map((image) => image.toString('base64')) as [string, string]

function image(data: string, name: string): FilePart {
  return { type: 'file', mediaType: 'image/png', name, source: { kind: 'base64', data } }
}

/** What fills a window, so that a compaction has something to fold. */
const questions = [1, 2, 3, 4, 5].map((number) => `Question ${number}: ${'more '.repeat(300)}`)

describe.each(protocols)('over %s', (protocol) => {
  test('images go through a fork and a compaction, and every request is acceptable', async () => {
    const lines = [
      line('Noise.'),
      line('Still noise, in a copy.'),
      ...questions.map(() => line(`It is noise: ${'grey '.repeat(300)}`)),
      line('Noise as well.'),
      line('Both were noise.'),
    ]
    const config = { images: true, compaction: 'local', limits: { keepLastMessages: 1 } } as const
    await using scene = await Scene.set({ protocol, lines, config })
    const sent = () => JSON.stringify(scene.server.requests.at(-1)?.body)
    const seen = () => [sent().includes(first), sent().includes(second)]
    await scene.agent.run('What is in the first one?', { files: [image(first, 'first.png')] })
    expect(seen()).toEqual([true, false])

    const { id } = scene.agent.session
    const fork = await scene.agent.fork()
    await scene.agent.resumeSession(fork.id)
    await scene.agent.run('And in this copy?')
    expect(seen()).toEqual([true, false])

    await scene.agent.resumeSession(id)
    for (const question of questions) await scene.agent.run(question)
    expect(seen()).toEqual([true, false])
    await scene.agent.compact()
    await scene.agent.run('And in the second one?', { files: [image(second, 'second.png')] })
    // What was folded into the summary is named there; what came after it is shown.
    expect(seen()).toEqual([false, true])
    expect(sent()).toContain('first.png')

    await scene.again()
    await scene.agent.run('What were they?')
    expect(seen()).toEqual([false, true])
    scene.server.assertDone()
    expect(scene.server.requests.flatMap(({ violations }) => violations)).toEqual([])
  })
})
