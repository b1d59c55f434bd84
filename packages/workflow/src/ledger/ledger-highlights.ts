import type { Ledger } from '@loader/session-core/coding'

const mostOfEach = 2

/** What no longer stands as it did: at most two of each list, the latest to be added last. */
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
