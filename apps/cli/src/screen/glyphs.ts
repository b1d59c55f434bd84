import type { Console } from '../console/console.ts'

/** Marks in front of lines. */
export interface Glyphs {
  readonly call: string
  readonly passed: string
  readonly failed: string
  readonly denied: string
  readonly interrupted: string
  readonly unknown: string
  readonly decision: string
  readonly thought: string
  readonly end: string
  readonly ask: string
  /** What lines of a frame are made of. */
  readonly rule: string
  /** Shown in turn while something goes on. */
  readonly spinner: readonly string[]
}

const signs: Glyphs = {
  call: '●',
  passed: '✓',
  failed: '✗',
  denied: '⊘',
  interrupted: '!',
  unknown: '?',
  decision: '·',
  thought: '~',
  end: '■',
  ask: '?',
  rule: '─',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧'],
}

/** For terminals, fonts and screen readers that only support ASCII. Outcomes are written as words. */
const letters: Glyphs = {
  call: '*',
  passed: 'ok',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
  unknown: 'unknown',
  decision: '-',
  thought: 'thought:',
  end: '=',
  ask: '?',
  rule: '-',
  spinner: ['|', '/', '-', '\\'],
}

export function glyphsFor({ environment }: Pick<Console, 'environment'>): Glyphs {
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || ''
  const isPlain = environment['TERM'] === 'dumb' || /^(?:C|POSIX)$/.test(locale)
  return isPlain ? letters : signs
}
