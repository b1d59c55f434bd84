import {
  type Backend,
  type FilePart,
  LoaderError,
  MemoryStore,
  type Message,
  type ModelRequest,
  type SessionStore,
  type SessionWriter,
  shownText,
} from '@loader/session-core'
import { call, line, ScriptedBackend, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/index.ts'
import { ownTool } from '../scene/own-tool.ts'
import { historyOf, scene } from '../scene/scene.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** An image that is kept as a blob. */
const large = `${pixel.slice(0, 40)}${'A'.repeat(40_000)}`

function image(data = large, name = 'shot.png'): FilePart {
  return { type: 'file', mediaType: 'image/png', name, source: { kind: 'base64', data } }
}

function model(lines: readonly ScriptLine[], images?: boolean, documents?: boolean): ScriptedBackend {
  const takes = { ...(images !== undefined && { images }), ...(documents !== undefined && { documents }) }
  return ScriptedBackend.from(lines, { capabilities: { model: `scripted/sees-${images}`, ...takes } })
}

function partsIn(messages: readonly Message[] = []): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((part) => {
      if (part.type === 'text') return [shownText(part.text)]
      if (part.type === 'result') return [shownText(part.text), ...(part.files ?? []).map(toldFile)]
      return part.type === 'file' ? [toldFile(part)] : []
    }),
  )
}

function toldFile({ mediaType, source }: FilePart): string {
  return `<${mediaType} ${source.kind === 'base64' && typeof source.data === 'string' ? source.data.length : 'in a blob'}>`
}

function lastRequest(backend: ScriptedBackend): ModelRequest | undefined {
  return backend.requests.at(-1)
}

describe('an image of the user', () => {
  test('is stored once, before the event that names it, and sent whole', async () => {
    const backend = model([line('A pixel.'), line('The same.')], true)
    await using place = await scene({ backend })
    await place.agent.run('What is this?', { files: [image()] })
    await place.agent.run('And this?', { files: [image()] })
    const history = await place.history()
    const named = JSON.stringify(history).match(/"blob":"[^"]+"/g) ?? []
    expect(new Set(named).size).toBe(1)
    expect(JSON.stringify(history)).not.toContain(large)
    expect(partsIn(lastRequest(backend)?.messages)).toEqual([
      'What is this?',
      `<image/png ${large.length}>`,
      'A pixel.',
      'And this?',
      `<image/png ${large.length}>`,
    ])
  })

  test('is there after a restart', async () => {
    await using place = await scene({ backend: model([line('A pixel.')], true) })
    await place.agent.run('What is this?', { files: [image()] })
    await place.agent.close()
    const backend = model([line('Still.')], true)
    const again = place.again({ backend })
    await again.resumeSession(place.agent.session.id)
    await again.run('Are you sure?')
    expect(partsIn(lastRequest(backend)?.messages)).toContain(`<image/png ${large.length}>`)
  })

  test('goes to a running turn too', async () => {
    const store = new MemoryStore()
    const backend = model([line('Looking.', call('read', { file_path: 'a.txt' })), line('Seen.')], true)
    await using place = await scene({ backend, store, files: { 'a.txt': 'a\n' } })
    let steered: Promise<void> | undefined
    await place.agent.run('Look.', {
      onEvent: (event) => {
        if (event.type === 'tool.started')
          steered ??= place.agent.queueSteeringMessage('This.', { files: [image(pixel)] })
      },
    })
    await steered
    expect(partsIn(lastRequest(backend)?.messages)).toContain(`<image/png ${pixel.length}>`)
  })

  test.each([
    [image(), 'cannot see images'],
    [{ ...image(), mediaType: 'application/pdf' } as FilePart, 'does not read PDF files'],
  ])('is refused where the model cannot take it, before anything is recorded', async (file, words) => {
    await using place = await scene({ backend: model([], false, false) })
    const refused: unknown = await place.agent.run('Look.', { files: [file] }).catch((error: unknown) => error)
    expect(LoaderError.is(refused, 'unsupported')).toBe(true)
    expect(String(refused)).toContain(words)
    expect(JSON.stringify(await place.history())).not.toContain('Look.')
  })

  test('is sent where the settings say that the model sees, whatever it says of itself', async () => {
    const backend = model([line('A pixel.')], false)
    await using place = await scene({ backend, config: { images: true } })
    await place.agent.run('Look.', { files: [image(pixel)] })
    expect(partsIn(lastRequest(backend)?.messages)).toContain(`<image/png ${pixel.length}>`)
  })
})

describe('with another model', () => {
  async function goOn(store: SessionStore, id: string, images: boolean | undefined) {
    const backend = model([line('Yes.')], images)
    await using place = await scene({ backend, store })
    await place.agent.resumeSession(id)
    const events: AgentEvent[] = []
    await place.agent.run('And now?', { onEvent: (event) => events.push(event) })
    const said = events.flatMap((event) => (event.type === 'delta.status' ? [event.message] : []))
    return { parts: partsIn(lastRequest(backend)?.messages), said }
  }

  test('that cannot see, a note stands for the image, and it comes back with one that can', async () => {
    const store = new MemoryStore()
    const place = await scene({ backend: model([line('A pixel.')], true), store })
    const { id } = place.agent.session
    await place.agent.run('What is this?', { files: [image()] })
    await place[Symbol.asyncDispose]()

    const blind = await goOn(store, id, false)
    expect(blind.parts).toContain('[image shot.png (image/png) is not shown: this model cannot see images]')
    expect(blind.said).toEqual(['Files that are not sent: 1; this model cannot see images.'])
    const seeing = await goOn(store, id, true)
    expect(seeing.parts).toContain(`<image/png ${large.length}>`)
    expect(seeing.said).toEqual([])
  })
})

describe('an image that a tool gives', () => {
  const reads = [line('Let me look.', call('look', {})), line('A pixel.')]
  const look = ownTool('look', { run: () => ({ outcome: 'ok', text: 'Here.', files: [image()] }) })

  test('is stored as a blob and sent with the result; a note stands for it where nobody sees', async () => {
    const backend = model([...reads, line('Yes.')], true)
    await using place = await scene({ backend, tools: [look] })
    await place.agent.run('Look.')
    expect(partsIn(lastRequest(backend)?.messages)).toEqual([
      'Look.',
      'Let me look.',
      'Here.',
      `<image/png ${large.length}>`,
    ])
    expect(JSON.stringify(await place.history())).not.toContain(large)

    const blind = model([line('Yes.')], false)
    const again = place.again({ backend: blind, tools: [look] })
    await place.agent.close()
    await again.resumeSession(place.agent.session.id)
    await again.run('And now?')
    expect(partsIn(lastRequest(blind)?.messages)).toContain(
      'Here.\n[image shot.png (image/png) is not shown: this model cannot see images]',
    )
  })
})

test('an image that the model made is kept as a blob, and goes back to it', async () => {
  const content = [{ type: 'text' as const, text: 'Drawn.' }, image()]
  const asked: ModelRequest[] = []
  const backend: Backend = {
    id: 'test/draws',
    async *stream(request) {
      asked.push(request)
      yield { type: 'done', content, finishReason: 'stop' }
    },
  }
  await using place = await scene({ backend })
  await place.agent.run('Draw a pixel.')
  await place.agent.run('Once more.')
  expect(JSON.stringify(await place.history())).not.toContain(large)
  expect(partsIn(asked.at(-1)?.messages)).toContain(`<image/png ${large.length}>`)
})

describe('what is not as it should be becomes a note', () => {
  async function sentOf(file: FilePart, store: SessionStore = new MemoryStore()) {
    const backend = model([line('I see.'), line('Yes.')], true)
    await using place = await scene({ backend, store })
    await place.agent.run('Look.', { files: [file] })
    return {
      parts: partsIn(lastRequest(backend)?.messages),
      history: await historyOf(store, place.agent.session.id),
    }
  }

  test('a blob that is missing', async () => {
    class Forgetful extends MemoryStore {
      override async claim(...words: Parameters<MemoryStore['claim']>) {
        const claim = await super.claim(...words)
        const { writer: kept } = claim
        const get = () => Promise.reject(new LoaderError('blob_missing', 'It is gone.'))
        const writer: SessionWriter = {
          id: kept.id,
          epoch: kept.epoch,
          blobs: { put: (text) => kept.blobs.put(text), get },
          append: (...events) => kept.append(...events),
          save: (...state) => kept.save(...state),
          release: () => kept.release(),
        }
        return { ...claim, writer }
      }
    }
    const { parts } = await sentOf(image(), new Forgetful())
    expect(parts[1]).toBe('[image shot.png (image/png) is not shown: it is missing in the session]')
  })

  test('what is said to be an image and is none, and what models do not take', async () => {
    expect((await sentOf(image('bm90IGFuIGltYWdl'))).parts[1]).toContain('it is not an image that models take')
    expect((await sentOf({ ...image(pixel), mediaType: 'image/bmp' })).parts[1]).toContain(
      'do not take this kind of image',
    )
    expect((await sentOf(image(`${pixel.slice(0, 20)}${'A'.repeat(6_000_000)}`))).parts[1]).toContain(
      'larger than models take',
    )
  })

  test('a wrong type is put right, because providers refuse it', async () => {
    expect((await sentOf({ ...image(pixel), mediaType: 'image/jpeg' })).parts[1]).toBe(`<image/png ${pixel.length}>`)
  })
})

test('a compaction leaves images out, and its summary names them; forks and later turns know them by that', async () => {
  const answers = Array.from({ length: 8 }, (_, at) => line(`Answer ${at}: ${'words '.repeat(400)}`))
  const backend = model([...answers, line('Later.')], true)
  await using place = await scene({ backend, config: { compaction: 'local' } })
  await place.agent.run('What is this?', { files: [image()] })
  for (let turn = 1; turn < 8; turn += 1) await place.agent.run(`Question ${turn}: ${'more '.repeat(400)}`)
  await place.agent.compact()
  await place.agent.run('And now?')
  const parts = partsIn(lastRequest(backend)?.messages).join('\n')
  expect(parts).toContain('Images and files that were shown and are not any more: shot.png (image/png, kept as ')
  expect(parts).not.toContain('<image/png')
})

test('a fork has the images of what it was forked from, whatever becomes of that', async () => {
  await using place = await scene({ backend: model([line('A pixel.')], true) })
  await place.agent.run('What is this?', { files: [image()] })
  const { id } = await place.agent.fork()
  await place.agent.close()
  await place.store.delete(place.agent.session.id, { erase: true })
  const backend = model([line('Still.')], true)
  const again = place.again({ backend })
  await again.resumeSession(id)
  await again.run('Are you sure?')
  expect(partsIn(lastRequest(backend)?.messages)).toContain(`<image/png ${large.length}>`)
})
