import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { png, withText } from '../written/picture.ts'
import { type Stage, stage } from './stage/stage.ts'

/** What the model says of itself: that it sees. */
const sees = ['--config', 'images=true']

function bodies(one: Stage): string[] {
  return one.server.requests.map(({ body }) => JSON.stringify(body))
}

/** An image of more than the few bytes that events hold themselves. */
const shot = png(90, 90, 1)
const data = shot.toString('base64')

function files(one: Stage): readonly string[] {
  const folder = readdirSync(one.state, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.blobs'))
  return folder === undefined ? [] : readdirSync(join(one.state, folder)).map((name) => join(one.state, folder, name))
}

describe('--image', () => {
  test('shows an image to the model, without its metadata, and says so', async () => {
    await using one = await stage({ text: 'Noise.' })
    writeFileSync(one.path('shot.png'), withText(shot, 'taken at home'))
    const { code, stderr, stdout } = await one.run(['-p', 'What is this?', '--image', 'shot.png', ...sees])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Noise.\n' })
    expect(stderr).toMatch(/shot\.png: 90 x 90 pixels, \d+ KiB/)
    expect(bodies(one)[0]).toContain(data)
    const [blob, ...others] = files(one)
    expect(others).toEqual([])
    expect(readFileSync(blob ?? '', 'utf8')).toBe(data)
  })

  test.each([
    ['absent.png', 'there is no such file'],
    ['cut.png', 'it is cut off'],
    ['', '--image needs the name of a file'],
  ])('of %j has no effect', async (name, why) => {
    await using one = await stage({ text: 'Never.' })
    writeFileSync(one.path('cut.png'), shot.subarray(0, 200))
    const { code, stderr } = await one.run(['-p', 'Look.', '--image', name, ...sees])
    expect(code).toBe(2)
    expect(stderr).toContain(why)
    expect(one.server.requests).toEqual([])
    expect(await one.sessions()).toEqual([])
  })

  test('for a model that cannot see is refused with what to do', async () => {
    await using one = await stage({ text: 'Never.' })
    writeFileSync(one.path('shot.png'), shot)
    const { code, stderr } = await one.run(['-p', 'Look.', '--image', 'shot.png', '--config', 'images=false'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('ollama/scripted cannot see images. Take a model that sees them')
    expect(one.server.requests).toEqual([])
  })
})

describe('an image in a session', () => {
  test('is shown again after a restart, and a note stands where it is missing', async () => {
    await using one = await stage({ text: 'Noise.' }, { text: 'Still noise.' }, { text: 'I do not know.' })
    writeFileSync(one.path('shot.png'), shot)
    await one.run(['-p', 'What is this?', '--image', 'shot.png', ...sees])
    await one.run(['-p', '-c', 'Are you sure?', ...sees])
    expect(bodies(one)[1]).toContain(data)
    const [blob = ''] = files(one)
    rmSync(blob)
    const { code } = await one.run(['-p', '-c', 'And now?', ...sees])
    expect(code).toBe(0)
    expect(bodies(one)[2]).toContain('[image shot.png (image/png) is not shown: it is missing in the session]')
    const [row] = await one.sessions()
    const verified = await one.run(['verify', row?.id ?? ''])
    expect(verified.stdout + verified.stderr).toContain('missing')
  })

  test('goes through export and import whole, whatever its data looks like', async () => {
    await using one = await stage({ text: 'Noise.' }, { text: 'Still.' })
    writeFileSync(one.path('shot.png'), shot)
    await one.run(['-p', 'What is this? My key is AKIAIOSFODNN7EXAMPLE.', '--image', 'shot.png', ...sees])
    const [row] = await one.sessions()
    const exported = await one.run(['export', row?.id ?? '', '--output', 'session.json'])
    expect(exported.stderr).toContain('1 image or file as they are')
    const text = readFileSync(one.path('session.json'), 'utf8')
    expect(text).toContain(data)
    expect(text).not.toContain('AKIAIOSFODNN7EXAMPLE')
    await one.run(['export', row?.id ?? '', '--format', 'html', '--output', 'session.html'])
    expect(readFileSync(one.path('session.html'), 'utf8')).toContain(data)
    await one.run(['delete', row?.id ?? '', '--yes', '--erase'])
    expect(files(one)).toEqual([])
    expect((await one.run(['import', 'session.json'])).code).toBe(0)
    await one.run(['-p', '-c', 'And now?', ...sees])
    expect(bodies(one)[1]).toContain(data)
  })
})

const providers = [
  ['ollama/scripted', {}],
  ['anthropic/claude', { ANTHROPIC_API_KEY: 'sk-ant-test-0123456789' }],
  ['openai/gpt-5', { OPENAI_API_KEY: 'sk-test-0123456789abcdef' }],
  ['google/gemini-3-pro', { GEMINI_API_KEY: 'test-0123456789abcdef' }],
  ['local/m', {}],
] as const

describe.each(providers)('over %s', (model, keys) => {
  test(
    'an image stays through a restart, export and import, and a model that cannot see',
    { timeout: 120_000 },
    async () => {
      const answers = Array.from({ length: 6 }, (_, at) => ({ text: `Noise ${at}.` }))
      await using one = await stage({ calls: [call('read', { file_path: 'read.png' })] }, ...answers)
      const { url } = one.server
      const environment = {
        ...keys,
        ANTHROPIC_BASE_URL: url,
        OPENAI_BASE_URL: `${url}/v1`,
        GOOGLE_GEMINI_BASE_URL: url,
      }
      const local = JSON.stringify({
        local: { api: 'openai-compatible', baseUrl: `${url}/v1`, contextWindow: 100_000 },
      })
      const run = async (...words: readonly string[]) => {
        const settings = ['--config', `providers=${local}`, ...(words.includes('images=false') ? [] : sees)]
        const ended = await one.run(['-p', ...words, ...settings], { environment })
        expect(ended.code).toBe(0)
      }
      const other = png(80, 80, 2)
      writeFileSync(one.path('shot.png'), shot)
      writeFileSync(one.path('read.png'), other)
      const sent = () => bodies(one).at(-1) ?? ''
      const hasBoth = () => [sent().includes(data), sent().includes(other.toString('base64'))]

      await run('What is this?', '--image', 'shot.png', '-m', model)
      expect(hasBoth()).toEqual([true, true])
      await run('-c', 'Are you sure?')
      expect(hasBoth()).toEqual([true, true])

      const [row] = await one.sessions()
      await one.run(['export', row?.id ?? '', '--output', 'session.json'])
      await one.run(['delete', row?.id ?? '', '--yes', '--erase'])
      await one.run(['import', 'session.json'])
      await run('-c', 'And now?', '-m', model)
      expect(hasBoth()).toEqual([true, true])

      await run('-c', 'And you?', '-m', 'ollama/scripted', '--config', 'images=false')
      expect(hasBoth()).toEqual([false, false])
      expect(sent()).toContain('[image shot.png (image/png) is not shown: this model cannot see images]')
      await run('-c', 'Once more.', '-m', model)
      expect(hasBoth()).toEqual([true, true])
    },
  )
})

test('read shows an image of the project to the model', async () => {
  await using one = await stage({ calls: [call('read', { file_path: 'shot.png' })] }, { text: 'Noise.' })
  writeFileSync(one.path('shot.png'), shot)
  expect((await one.run(['-p', 'Look at shot.png.', ...sees])).code).toBe(0)
  expect(bodies(one)[1]).toContain(data)
  expect(bodies(one)[1]).toContain('shot.png: image/png, 90 x 90 pixels')
})

test.runIf(fromCi)('the built command scales an image and reads a PDF file with what lies beside it', async () => {
  await using one = await stage({ calls: [call('read', { file_path: 'a.pdf' })] }, { text: 'Read.' })
  writeFileSync(one.path('wide.png'), png(2400, 40, 7))
  const pdf = '../../../../packages/tools/test/media/pictures.ts'
  const { pdf: pdfOf } = (await import(pdf)) as { readonly pdf: (text: string) => Buffer }
  writeFileSync(one.path('a.pdf'), pdfOf('Invoice 4711.'))
  const { code, stderr } = await one.runBuilt(['-p', 'Look.', '--image', 'wide.png', ...sees])
  expect(code).toBe(0)
  expect(stderr).toContain('wide.png: 2400 x 40 pixels, sent as 1568 x 26')
  expect(bodies(one)[1]).toContain('Invoice 4711.')
})
