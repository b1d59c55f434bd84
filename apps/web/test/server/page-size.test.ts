import { gzipSync } from 'node:zlib'
import { builtPage } from '@loader/test-browser'
import { expect, test } from 'vitest'
import { readPage } from '../../src/server/page-files.ts'

/** What can be done is 15 of it, and sessions of agents are 3. All views, session-core and readings, what reads Markdown, and the styles. */
const mostKilobytes = 111

test(`the page is at most ${mostKilobytes} kB compressed, and one script and one style`, () => {
  const { document, script, style } = readPage(builtPage())
  const kilobytes = (gzipSync(script).length + gzipSync(style).length) / 1000
  console.log(`page: ${kilobytes.toFixed(1)} kB compressed, ${Math.round(script.length / 1000)} kB of script`)
  expect(kilobytes).toBeLessThan(mostKilobytes)
  expect([...document.matchAll(/<(?:script|link)\b[^>]*>/g)]).toHaveLength(2)
  // What the page makes of a session is in it, and no schema: what it gets was checked before.
  expect(/_zod|safeParse/.test(script)).toBe(false)
})
