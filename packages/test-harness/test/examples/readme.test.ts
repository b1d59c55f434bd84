import { spawnSync } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi, needing } from '@loader/test-tier'
import { expect, test } from 'vitest'

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')

test.each(['own-loop.test.ts', 'own-store.test.ts', 'own-tool.test.ts'])(
  'the README shows %s as it runs here',
  async (file) => {
    const source = await readFile(new URL(file, import.meta.url), 'utf8')
    expect(/```ts\n([^]*?)```/.exec(readme)?.[1]).toContain(withoutImports(source))
  },
)

// The recipe is Python: without python3 there is nothing that could be tried.
const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!fromCi || !hasPython || process.platform === 'win32')(
  needing(
    (!hasPython || process.platform === 'win32') && 'python3 is not installed, or no program of this system',
    'the recipe for pytest fails a test exactly when the server does',
  ),
  async () => {
    const recipe = /```python\n([^]*?)```/.exec(readme)?.[1] ?? ''
    const command = fileURLToPath(new URL('../../src/bin/mock-llm.ts', import.meta.url))
    await using folder = await temporaryWorkspace({
      files: {
        'script.json': '{"lines": [{"text": "Hi."}]}',
        // What npm would have put there, and as much of pytest as it takes.
        'bin/npx': `#!/bin/sh\nshift\nexec '${process.execPath}' --conditions=@loader/source '${command}' "$@"\n`,
        'pytest.py': 'def fixture(function):\n    return function\n',
        'test.py': `import json, subprocess, sys, urllib.request, pytest\n\n${recipe}\n${drive}`,
      },
    })
    await chmod(folder.path('bin/npx'), 0o755)
    const run = (...args: readonly string[]) =>
      spawnSync('python3', ['test.py', ...args], {
        cwd: folder.root,
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '', PATH: `${folder.path('bin')}:${process.env['PATH']}` },
      })
    expect(run('ask')).toMatchObject({ status: 0, stdout: 'Hi.\n', stderr: '' })
    const unasked = run()
    expect(unasked.status).toBe(1)
    expect(unasked.stderr).toContain('1 of 1 lines were never asked for: line 1: "Hi."')
    expect(unasked.stderr).toContain('AssertionError')
  },
)

/** What pytest does with a fixture, and a test that asks the model. */
const drive = `
fixture = model()
url = next(fixture)
if sys.argv[1:]:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "Hello"}]}).encode()
    with urllib.request.urlopen(url + "/v1/chat/completions", body) as response:
        print(json.load(response)["choices"][0]["message"]["content"])
next(fixture, None)
`

function withoutImports(source: string): string {
  return source.slice(source.indexOf('\n\n') + 2)
}
