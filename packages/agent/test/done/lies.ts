import type { Story } from './story.ts'
import { liesInChecks } from './lies/checks.ts'
import { liesOverTurns } from './lies/turns.ts'
import { liesInProduct } from './lies/patched.ts'
import { liesInSettings } from './lies/settings.ts'
import { plainLies } from './lies/plain.ts'

/** Work that does not do what its end would say. None of it may be called done. */
export const lies: readonly Story[] = [
  ...plainLies,
  ...liesInChecks,
  ...liesInSettings,
  ...liesInProduct,
  ...liesOverTurns,
]
