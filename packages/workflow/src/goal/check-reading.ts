/**
 * How much a passing command can show, weakest first: nothing, because it cannot fail; that files are there and parse;
 * something that cannot be told from the command; that the work does what it should.
 */
const strengths = ['nothing', 'presence', 'unclear', 'behaviour'] as const
export type Strength = (typeof strengths)[number]

/** What a command can show when it passes, and what it consists of. */
export interface CheckReading {
  readonly kind: CheckKind
  readonly strength: Strength
  /** It runs more than the command names: tests that a runner finds, or whatever a script calls. */
  readonly runsMore: boolean
  /** It runs only a part of what it could. */
  readonly narrow: boolean
  /** Programs that it runs and believes. */
  readonly scripts: readonly string[]
  /** What it prints says how many tests there were; when it does not, they were not run to their end. */
  readonly counts: boolean
  /** Files that a runner is pointed at. */
  readonly selected: readonly string[]
}

/** What a check is about, the most telling first. */
const kinds = ['test', 'typecheck', 'lint', 'build', 'runtime', 'syntax', 'existence'] as const
export type CheckKind = (typeof kinds)[number]

export function reading(strength: Strength, rest: Partial<Omit<CheckReading, 'strength'>> = {}): CheckReading {
  return {
    kind: strength === 'nothing' ? 'existence' : 'runtime',
    runsMore: false,
    narrow: false,
    counts: false,
    scripts: [],
    selected: [],
    ...rest,
    strength,
  }
}

/** Both have to pass, so either can make it fail. */
export function both(first: CheckReading, second: CheckReading): CheckReading {
  return { ...together(first, second), strength: stronger(first.strength, second.strength) }
}

/** One of them is enough, so both have to be able to fail. */
export function either(first: CheckReading, second: CheckReading): CheckReading {
  const strength = weaker(first.strength, second.strength)
  // What one of two runners has found, the other need not find.
  const hides = first.runsMore && second.runsMore
  return { ...together(first, second), strength: hides ? weaker(strength, 'unclear') : strength }
}

/** The first one runs, but only the second one decides. */
export function overruled(first: CheckReading, second: CheckReading): CheckReading {
  return { ...together(first, second), strength: second.strength }
}

/** What is left of a command when another one judges its output: the program that is looked at is no part of the check. */
export function judgedByOthers(read: CheckReading): CheckReading {
  return { ...withoutOutput(read), scripts: [], runsMore: read.runsMore && read.scripts.length === 0 }
}

/** What it prints goes somewhere else. */
export function withoutOutput(read: CheckReading): CheckReading {
  return { ...read, counts: false }
}

export function atMost(strength: Strength, read: CheckReading): CheckReading {
  return { ...read, strength: weaker(strength, read.strength) }
}

function together(first: CheckReading, second: CheckReading): CheckReading {
  return {
    kind: kinds[Math.min(kinds.indexOf(first.kind), kinds.indexOf(second.kind))] ?? second.kind,
    strength: second.strength,
    runsMore: first.runsMore || second.runsMore,
    narrow: first.narrow || second.narrow,
    counts: first.counts || second.counts,
    scripts: [...new Set([...first.scripts, ...second.scripts])],
    selected: [...new Set([...first.selected, ...second.selected])],
  }
}

function stronger(first: Strength, second: Strength): Strength {
  return strengths.indexOf(first) >= strengths.indexOf(second) ? first : second
}

function weaker(first: Strength, second: Strength): Strength {
  return strengths.indexOf(first) <= strengths.indexOf(second) ? first : second
}
