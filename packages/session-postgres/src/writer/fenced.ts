import { describeHolder, type HolderStanding } from '../stored/holder.ts'

/** Why a claim with these tokens may write nothing more, as things stand; undefined when it may. */
export function whyFenced(
  id: string,
  now: HolderStanding | undefined,
  tokens: readonly (string | undefined)[],
): string | undefined {
  if (now === undefined) return `Session ${id} was deleted. Nothing more is written.`
  const { token, holds } = now
  if (token === null) return `Session ${id} was given free. Nothing was written; load it to see what it is now.`
  if (!tokens.includes(token)) {
    return `Session ${id} was taken over by ${describeHolder(now)}. Nothing was written; load it to see what it is now.`
  }
  if (holds) return undefined
  return `The lease of session ${id} is over: this process was away for too long. Nothing was written; load it again.`
}
