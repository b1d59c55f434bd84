import { readFileSync } from 'node:fs'
import type { History } from '@loader/session-core'
import { expect } from 'vitest'
import * as z from 'zod'

const formatOne = new URL('../../../session-core/test/fixtures/format-1/', import.meta.url)
const reader = z.fromJSONSchema(JSON.parse(readFileSync(new URL('reader.schema.json', formatOne), 'utf8')))
const { types }: { types: string[] } = JSON.parse(readFileSync(new URL('expected.json', formatOne), 'utf8'))

/** A version that is older than trees and trials can read the session. Events that it does not know it passes over. */
export function expectReadByOlderVersion(history: History): void {
  const refused = history.flatMap((event) => {
    const { error } = reader.safeParse(event)
    return error === undefined || !types.includes(event.type) ? [] : [`${event.seq} ${event.type}: ${error.message}`]
  })
  expect(refused).toEqual([])
}
