import {
  type Experiment,
  judgeCheck,
  nextExperiment,
  type NotShown,
  type Room,
  type RoomOutcome,
  type Shown,
  type TestOutcome,
  type TestResult,
  type Trial,
  withOutcome,
} from '../../src/index.ts'

const outcomes: Readonly<Record<string, TestOutcome>> = {
  '+': 'green',
  '-': 'red',
  '!': 'errored',
  '?': 'unloaded',
  '~': 'skipped',
}
const notShown = ['program_missing', 'limit', 'reach', 'cut_off', 'impossible', 'not_tried'] as const

/**
 * What a room shows, in one line: `a+ b-` names tests (`+` green, `-` red, `!` errored, `?` unloaded, `~` skipped; with a
 * file as `test/a.js:adds+`; `| rewrites a.js` behind them for files that the run itself changes,
 * `| undoes a.js` where it makes them what they were in B), `3 green 1 red` counts them, `exit 0` has neither, and `limit` and its like show nothing.
 */
type Line = string

export interface World {
  readonly check?: Partial<Trial['check']>
  readonly changed?: Partial<Trial['changed']>
  readonly unaccepted?: readonly string[]
  readonly packages?: Trial['packages']
  readonly accepted?: Partial<Trial['accepted']>
  /** Known before the trial begins. */
  readonly kept?: Readonly<Partial<Record<Room, Line>>>
  /** By room; `strict +a.js +b.js` for a mix with these as now, `now again` for a second run that differs. */
  readonly rooms: Readonly<Record<string, Line>>
}

function trialOf({ check, changed, unaccepted = [], packages = [], accepted, kept = {} }: World): Trial {
  return {
    check: { source: 'derived', shows: 'behaviour', isInBefore: true, isSlow: false, ...check },
    changed: { product: [], aside: [], mixed: [], ignored: [], suppressed: [], ...changed },
    unaccepted,
    packages,
    accepted: { packages: [], tests: [], ...accepted },
    tried: allRooms.flatMap((room) => {
      const line = kept[room]
      return line === undefined ? [] : [{ experiment: { room }, outcome: outcomeOf(line) }]
    }),
  }
}

/** Plays a trial to its end. A room that the world does not have fails the test that asks for it. */
export function play(world: World) {
  let trial = trialOf(world)
  const experiments: Experiment[] = []
  for (let next = nextExperiment(trial); next !== undefined; next = nextExperiment(trial)) {
    experiments.push(next)
    if (experiments.length > 100) throw new Error('The trial does not end.')
    trial = withOutcome(trial, next, outcomeIn(world, next))
  }
  return { trial, experiments, judgement: judgeCheck(trial) }
}

function outcomeIn({ rooms }: World, { room, asNow = [], again }: Experiment): RoomOutcome {
  const name = [room, ...asNow.map((path) => `+${path}`)].join(' ')
  const line = (again && rooms[`${name} again`]) ?? rooms[name] ?? (room === 'canary' ? 'canary-' : undefined)
  if (line === undefined) throw new Error(`Nothing is said of the room "${name}".`)
  return outcomeOf(line)
}

function outcomeOf(line: Line): RoomOutcome {
  const why = notShown.find((it) => it === line)
  return why === undefined
    ? { kind: 'shown', shown: shownOf(line) }
    : { kind: 'not_shown', why: why satisfies NotShown }
}

function shownOf(line: Line): Shown {
  const exit = /^exit (\d+)$/.exec(line)
  if (exit !== null) return { exit: exit[1] === '0' ? 'green' : 'red' }
  const counts = /^(\d+) green (\d+) red$/.exec(line)
  if (counts !== null) {
    const [green, red] = [Number(counts[1]), Number(counts[2])]
    return { exit: red === 0 ? 'green' : 'red', counts: { green, red, skipped: 0 } }
  }
  const [whole = '', undone] = line.split(' | undoes ')
  const [told = '', rewritten = undone] = whole.split(' | rewrites ')
  const [words, forced] = told.split(' | exit ')
  const tests = (words ?? '')
    .split(' ')
    .filter((word) => word !== '')
    .map(testOf)
  const isRed = tests.some(({ outcome }) => outcome !== 'green' && outcome !== 'skipped')
  const code = (forced === undefined ? isRed : forced !== '0') ? 'red' : 'green'
  return {
    exit: code,
    tests,
    ...(rewritten !== undefined && { rewritten: rewritten.split(' ') }),
    ...(undone !== undefined && { undone: undone.split(' ') }),
  }
}

function testOf(word: string): TestResult {
  const outcome = outcomes[word.slice(-1)]
  if (outcome === undefined) throw new Error(`"${word}" does not end with an outcome.`)
  const [file, name] = word.slice(0, -1).split(':')
  if (file === undefined) throw new Error(`"${word}" has no name.`)
  return name === undefined
    ? outcome === 'unloaded' && /\./.test(file)
      ? { name: file, file, outcome }
      : { name: file, outcome }
    : { name, file, outcome }
}

const allRooms = [
  'now',
  'as_is',
  'before',
  'canary',
  'strict',
  'unsuppressed',
  'reversed',
  'emptied',
] as const satisfies readonly Room[]
