import type { Beside, BesideChanges, NameList } from '@loader/session-core/coding'
import type { CheckJudgement } from './judgement.ts'

const mostNames = 100

/** Changes outside the tree as events store them; undefined if nothing differs and every place was observed. */
export function besideRecord({ ignored, packages, session, notLooked }: BesideChanges): Beside | undefined {
  const record: Beside = {
    ...named('ignored', ignored),
    ...named('packages', packages),
    ...named('session', session),
    ...(notLooked.length > 0 && { notLooked: [...notLooked] }),
  }
  return Object.keys(record).length === 0 ? undefined : record
}

function named<Key extends string>(key: Key, names: readonly string[]): { readonly [key in Key]?: NameList } {
  if (names.length === 0) return {}
  const list: NameList = { count: names.length, names: names.slice(0, mostNames) }
  return { [key]: list } as { readonly [key in Key]: NameList }
}

/** Whether a difference outside the tree was observed. */
export function hasBeside(beside: Beside | undefined): boolean {
  return beside?.ignored !== undefined || beside?.packages !== undefined || beside?.session !== undefined
}

/** Whether the result of a check depends on changes outside the tree. */
export function restsBeside(judgement: CheckJudgement): boolean {
  if (judgement.word === 'rests_on') return judgement.what === 'ignored'
  return judgement.word === 'unverified' && judgement.why.kind === 'packages_changed'
}

const mostShown = 5

/** The last line of a turn that changed no file of the project. */
export function besideWords(beside: Beside | undefined): string {
  const { ignored, packages, session, notLooked = [] } = beside ?? {}
  const parts = [
    ...(ignored === undefined ? [] : [`ignored files were: ${listed(ignored)}`]),
    ...(packages === undefined ? [] : [`installed packages were: ${listed(packages)}`]),
    ...(session === undefined ? [] : [`installed packages were for this session only: ${listed(session)}`]),
    ...notLooked.map((where) => `${places[where]} not looked at`),
  ]
  return parts.length === 0 ? 'No file was changed.' : `No file of the project was changed; ${parts.join('; ')}.`
}

const places = {
  ignored: 'ignored files were',
  packages: 'installed packages were',
  outside: 'what lies outside of it was',
} as const

function listed({ count, names }: NameList): string {
  const shown = names.slice(0, mostShown)
  const rest = count - shown.length
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')}, ${rest} more`
}
