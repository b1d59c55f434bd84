import { inOneLine } from '@loader/readings'

/** What a colour says. */
export type Tone = 'good' | 'kept' | 'warn' | 'bad' | 'live' | 'idle'

const tones: Readonly<Record<string, Tone>> = {
  verified: 'good',
  accepted: 'kept',
  waived: 'kept',
  held: 'kept',
  present: 'warn',
  unchecked: 'idle',
  rests_on: 'warn',
  unverified: 'warn',
  unknown: 'warn',
  stale: 'warn',
  failed: 'bad',
  ok: 'good',
  passed: 'good',
  green: 'good',
  red: 'bad',
  denied: 'bad',
  deny: 'bad',
  allow: 'good',
  answered: 'good',
  interrupted: 'warn',
  cut_off: 'warn',
  skipped: 'idle',
  running: 'live',
  open: 'live',
  resting: 'idle',
  damaged: 'bad',
  applied: 'good',
  not_applied: 'idle',
  kept: 'good',
  nothing: 'idle',
  again: 'good',
  gone: 'warn',
  killed: 'warn',
  not_started: 'bad',
}

/** What colour a word of verdicts and outcomes has. */
export function toneOf(word: string | null | undefined): Tone {
  // A word may come from a stranger, and be that of something that every object has.
  return word != null && Object.hasOwn(tones, word) ? (tones[word] ?? 'idle') : 'idle'
}

/** A word of the format as people read it: `rests_on` is `rests on`. */
export function plain(word: string): string {
  // The format has kept its first name for what everything else calls accepted.
  if (word === 'waived') return 'accepted'
  return inOneLine(word.replaceAll('_', ' '))
}
