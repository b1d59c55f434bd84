import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { temporaryWorkspace } from '../../src/index.ts'
import { run, start } from './command.ts'
import { bodyOf, post, says, textOf } from './post.ts'

const script = { lines: [{ text: 'One <1>.' }, { text: 'Two.' }] }

async function folderWith(content: unknown) {
  return temporaryWorkspace({ files: { 'script.json': JSON.stringify(content) } })
}

/** Runs the command as long as `use` takes, and ends it as told. */
async function served(
  args: readonly string[],
  use: (url: string) => Promise<void>,
  end: 'SIGTERM' | 'SIGINT' | 'POST' = 'SIGTERM',
) {
  const { child, firstLine, ended } = start('mock-llm', args)
  const { url } = JSON.parse(await firstLine) as { url: string }
  await use(url)
  if (end === 'POST') expect((await fetch(`${url}/__stop`, { method: 'POST' })).status).toBe(200)
  else child.kill(end)
  return ended
}

describe('loader-mock-llm', () => {
  test.each(sample(['SIGTERM', 'SIGINT', 'POST'] as const, { quick: 1 }))(
    'prints its address, answers, and ends well by %s',
    async (end) => {
      await using folder = await folderWith(script)
      const use = async (url: string) => {
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
        expect(await textOf('openai', await post(url, 'openai', bodyOf('openai')))).toBe('One <1>.')
        expect(await textOf('ollama', await post(url, 'ollama', bodyOf('ollama')))).toBe('Two.')
      }
      const { code, stdout, stderr } = await served([folder.path('script.json'), '--port', '0'], use, end)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.trim().split('\n')).toHaveLength(1)
    },
  )

  test('ends with 1 and says which lines were left, and which rule was broken', async () => {
    await using folder = await folderWith(script)
    const use = async (url: string) => {
      await post(url, 'openai', bodyOf('openai'))
      await post(url, 'anthropic', bodyOf('anthropic', [says('Hi')]))
    }
    const report = folder.path('report.json')
    const { code, stderr } = await served([folder.path('script.json'), '--report', report], use)
    const problems = [
      'Request 2 broke the rule beginsWithUser at message 0: the first message is from assistant',
      '1 of 2 lines were never asked for: line 2: "Two."',
    ]
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${problems.join('\n')}\n` })
    expect(JSON.parse(await folder.read('report.json'))).toMatchObject({
      ok: false,
      problems,
      scripts: [{ script: 'default', exchanges: [{ line: 1 }, { status: 400 }], left: ['line 2: "Two."'] }],
    })
  })

  test.runIf(fromCi)('writes a report for CI servers', async () => {
    await using folder = await folderWith({ scripts: { ann: { ...script, key: 'sk-ann' }, bob: { lines: [] } } })
    const use = async (url: string) => {
      await post(`${url}/ann`, 'openai', bodyOf('openai'), { headers: { authorization: 'Bearer sk-ann' } })
      await post(`${url}/bob`, 'openai', bodyOf('openai'))
    }
    const { code } = await served([folder.path('script.json'), '--report', folder.path('report.xml')], use)
    expect(code).toBe(1)
    const xml = await folder.read('report.xml')
    expect(xml).toContain('<testsuites tests="3" failures="2">')
    expect(xml).toContain('<testcase classname="ann" name="request 1: line 1"/>')
    expect(xml).toContain(
      '<testcase classname="ann" name="line 2: &quot;Two.&quot;"><failure message="never asked for"/>',
    )
    expect(xml).toContain('<failure message="Request 1 has no line: the script has 0.')
  })

  test('says what is wrong with how it was called, and ends with 2', async () => {
    await using folder = await temporaryWorkspace({
      files: { 'bad.json': '{"lines": [{"txt": 1}]}', 'torn.json': '{' },
    })
    const wrong: readonly [readonly string[], string][] = [
      [[], 'Name one script.'],
      [[folder.path('none.json')], 'cannot be read'],
      [[folder.path('torn.json')], 'is not JSON'],
      [[folder.path('bad.json')], 'Unrecognized key: "txt"'],
      [[folder.path('bad.json'), '--speed', '9'], "Unknown option '--speed'"],
    ]
    const tried = sample(wrong, { quick: 1 })
    const ends = await Promise.all(tried.map(([args]) => run('mock-llm', args)))
    expect(ends.map(({ code }) => code)).toEqual(tried.map(() => 2))
    for (const [at, [, words]] of tried.entries()) expect(ends[at]?.stderr).toContain(words)
    expect(ends[0]?.stderr).toContain('loader-mock-llm SCRIPT.json')
  })

  test.runIf(fromCi)('tells its version and how it is used', async () => {
    const [version, help] = await Promise.all([run('mock-llm', ['--version']), run('mock-llm', ['--help'])])
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Exits with 1 if lines were left over') })
  })
})
