import process from 'node:process'

/** `pnpm test`, `.ci/run`, `pnpm test:long`: each tries all that the one before it tries, and more. */
export type Tier = 'quick' | 'ci' | 'long'

/** What a test does in each tier; absent, `long` is like `ci`. */
export interface ByTier {
  readonly quick: number
  readonly ci: number
  readonly long?: number
}

/** `LOADER_TESTS` names the tier; without it, a machine that sets `CI` runs `ci`, and every other one `quick`. */
export function tierOf({ LOADER_TESTS: named, CI: ci }: Readonly<Record<string, string | undefined>>): Tier {
  if (named === undefined || named === '') return ci === undefined || ci === '' ? 'quick' : 'ci'
  if (named === 'quick' || named === 'ci' || named === 'long') return named
  throw new Error(`LOADER_TESTS is "${named}". Set it to quick, ci or long.`)
}

export const tier = tierOf(process.env)

/** `test.runIf(fromCi)`: costs much, and a cheaper test of the quick tier already notices when what it tests is broken. */
export const fromCi = tier !== 'quick'

/** How often something is tried. */
export function times({ quick, ci, long = ci }: ByTier, current = tier): number {
  if (quick > ci || ci > long) throw new Error(`A longer run would try less: ${quick}, ${ci}, ${long}.`)
  return { quick, ci, long }[current]
}

/** The step at which one goes through many cases: 1 takes all of them. */
export function everyNth({ quick, ci, long = ci }: ByTier, current = tier): number {
  if (quick < ci || ci < long || long < 1) throw new Error(`A longer run would try less: ${quick}, ${ci}, ${long}.`)
  return { quick, ci, long }[current]
}

/**
 * All cases; in the quick tier as many as are said, spread evenly, with the first among them, and in CI too where it says
 * how many.
 */
export function sample<Case>(
  cases: readonly Case[],
  { quick, ci = Infinity }: { readonly quick: number; readonly ci?: number },
  current = tier,
): Case[] {
  if (quick > ci) throw new Error(`A longer run would try less: ${quick}, ${ci}.`)
  const count = { quick, ci, long: Infinity }[current]
  if (count >= cases.length) return [...cases]
  return Array.from({ length: count }, (_unused, index) => cases[Math.floor((index * cases.length) / count)] as Case)
}

/** The name of a test that needs something: where it is missing, and the test is skipped, the name says why. */
export function needing(lack: string | false | undefined, name: string): string {
  return lack === undefined || lack === false ? name : `${name} (skipped: ${lack})`
}
