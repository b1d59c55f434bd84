import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test.each(['own-loop.test.ts', 'own-store.test.ts', 'own-tool.test.ts'])(
  'the README shows %s as it runs here',
  async (file) => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
    const source = await readFile(new URL(file, import.meta.url), 'utf8')
    expect(readme).toContain(`\`\`\`ts\n${withoutImports(source)}\`\`\``)
  },
)

test('the README stays within 40 lines', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

function withoutImports(source: string): string {
  return source.slice(source.indexOf('\n\n') + 2)
}
