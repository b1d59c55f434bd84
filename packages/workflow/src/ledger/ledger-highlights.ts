import type { Ledger } from '@loader/session-core/coding'

const mostOfEach = 2

/** The first two ledger items of each status that calls for attention. */
export function ledgerHighlights({ assumptions, acceptanceAnchors, decisionBoundaries }: Ledger): string[] {
  return [
    ...named(
      'contradicted',
      assumptions.filter(({ status }) => status === 'contradicted'),
    ),
    ...named(
      'changed',
      acceptanceAnchors.filter(({ status }) => status === 'changed'),
    ),
    ...named(
      'reopened',
      decisionBoundaries.filter(({ status }) => status === 'reopened'),
    ),
  ]
}

function named(status: string, items: readonly { readonly text: string }[]): string[] {
  return items.slice(0, mostOfEach).map(({ text }) => `${status}: ${text}`)
}
