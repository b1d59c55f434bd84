import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type CreateStore, assertStoreClause, storeContract } from '../src/index.ts'
import { wrongAppending } from './wrong-stores/appending.ts'
import { wrongCapabilities } from './wrong-stores/capabilities.ts'
import { wrongClaiming } from './wrong-stores/claiming.ts'
import { wrongContent } from './wrong-stores/content.ts'
import { wrongDeleting } from './wrong-stores/deleting.ts'
import { wrongDurability } from './wrong-stores/durability.ts'
import { wrongIds } from './wrong-stores/ids.ts'
import { wrongKeepingFiles } from './wrong-stores/keeping-files.ts'
import { wrongInboxes } from './wrong-stores/inboxes.ts'
import { wrongListing } from './wrong-stores/listing.ts'
import { wrongTexts } from './wrong-stores/long-texts.ts'
import { wrongReading } from './wrong-stores/reading.ts'
import { wrongRestoring } from './wrong-stores/restoring.ts'
import { wrongSaving } from './wrong-stores/saving.ts'
import { wrongUnnamedTexts } from './wrong-stores/unnamed-texts.ts'
import { wrongWriters } from './wrong-stores/writers.ts'

const wrongStores = [
  ...wrongAppending,
  ...wrongDurability,
  ...wrongContent,
  ...wrongReading,
  ...wrongIds,
  ...wrongClaiming,
  ...wrongWriters,
  ...wrongSaving,
  ...wrongListing,
  ...wrongDeleting,
  ...wrongTexts,
  ...wrongUnnamedTexts,
  ...wrongCapabilities,
  ...wrongInboxes,
  ...wrongRestoring,
  ...wrongKeepingFiles,
]

async function brokenClauses(createStore: CreateStore): Promise<string[]> {
  const broken: string[] = []
  for (const clause of storeContract) {
    await assertStoreClause(clause, createStore).catch(() => broken.push(clause.name))
  }
  return broken
}

describe('the contract finds out a store that', () => {
  test.each(sample(wrongStores, { quick: 15 }))('$does', async ({ createStore, breaks }) => {
    expect(await brokenClauses(createStore)).toEqual(breaks)
  })
})

describe('the clauses', () => {
  test('have names of their own', () => {
    expect(new Set(storeContract.map(({ name }) => name)).size).toBe(storeContract.length)
  })

  test('each find out at least one of the wrong stores', () => {
    const found = new Set(wrongStores.flatMap(({ breaks }) => breaks))
    expect(storeContract.filter(({ name }) => !found.has(name)).map(({ name }) => name)).toEqual([])
  })
})
