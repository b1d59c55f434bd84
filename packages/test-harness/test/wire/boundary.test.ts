import { expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'
import { bodyOf, post, textOf } from './post.ts'

const lines = [{ text: 'One.' }, { text: 'Two.' }]

test('a boundary is told of before anything is sent, and after all of it was sent', async () => {
  const told: string[] = []
  await using server = await wireServer({
    lines,
    boundary: (moment, { number, end, sent }) => {
      told.push(`${moment} ${number}: ${end}, ${sent === '' ? 'nothing' : 'something'} sent`)
    },
  })
  expect(await textOf('ollama', await post(server.url, 'ollama', bodyOf('ollama')))).toBe('One.')
  await server.untilIdle()
  expect(told).toEqual(['before 1: open, nothing sent', 'after 1: sent, something sent'])
})

test('a boundary holds the answer back', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await using server = await wireServer({ lines, boundary: (moment) => (moment === 'before' ? held : undefined) })
  const asked = post(server.url, 'ollama', bodyOf('ollama'))
  await server.untilAsked(1)
  expect(server.requests[0]).toMatchObject({ end: 'open', sent: '' })
  release()
  expect(await textOf('ollama', await asked)).toBe('One.')
})

test('a boundary drops a request, whose line is used up all the same', async () => {
  await using server = await wireServer({
    lines,
    boundary: (moment, { number }) => (moment === 'before' && number === 1 ? 'drop' : undefined),
  })
  await expect(post(server.url, 'ollama', bodyOf('ollama'))).rejects.toThrow('fetch failed')
  expect(await textOf('ollama', await post(server.url, 'ollama', bodyOf('ollama')))).toBe('Two.')
  expect(server.requests.map(({ end }) => end)).toEqual(['dropped', 'sent'])
  server.assertDone()
})

test('a boundary is not told of what is no request to a model', async () => {
  const told: string[] = []
  await using server = await wireServer({ lines: [], boundary: (moment) => void told.push(moment) })
  await (await fetch(`${server.url}/api/tags`)).json()
  expect(told).toEqual([])
  expect(server.requests).toEqual([])
})
