// No text may make reading slow: whatever is repeated, eight times as much of it takes about eight times as long. A
// reader that looked at every pair of letters would take sixty-four times as long, and a regular expression that tries
// everything would not come back.
import { atMost } from './store/figure.mjs'

/** As much as is read at once; a path has an end. */
const usualLength = 16_000
/** A reading below this is no matter, and the clock would see more of the machine in it than of the reader. */
const negligibleMs = 20
const bar = 24

/** What reads the texts of models, users and programs: its source, and how it is called. */
const readers = {
  signals: { source: 'packages/workflow/src/routing/read-signals.ts', call: (its, text) => its.readSignals(text) },
  talk: {
    source: 'packages/workflow/src/routing/is-conversational.ts',
    call: (its, text) => its.isConversational(text),
  },
  decomposition: {
    source: 'packages/workflow/src/routing/should-decompose.ts',
    call: (its, text) => its.shouldDecompose(text),
  },
  brief: {
    source: 'packages/workflow/src/artifacts/parse-brief.ts',
    call: (its, text) => its.parseBrief(`## In Scope\n${text}`, 'task'),
  },
  plan: {
    source: 'packages/workflow/src/artifacts/parse-plan.ts',
    call: (its, text) => its.parsePlan(`## Execution Order\n${text}\n## Verification Commands\n${text}`, 'task'),
  },
  'planned files': {
    source: 'packages/workflow/src/artifacts/planned-files.ts',
    call: (its, text) => its.plannedFiles({ implementation: `## File Changes\n- ${text}` }),
  },
  question: { source: 'packages/workflow/src/artifacts/read-question.ts', call: (its, text) => its.readQuestion(text) },
  coverage: {
    source: 'packages/workflow/src/artifacts/coverage.ts',
    call: (its, text) => [
      its.mentions(its.readText(text), 'src/user-profile.ts'),
      its.covers(its.readText(text), 'it covers'),
    ],
  },
  'normal form': { source: 'packages/workflow/src/ledger/normalized.ts', call: (its, text) => its.normalized(text) },
  'past work': { source: 'packages/workflow/src/artifacts/is-past-work.ts', call: (its, text) => its.isPastWork(text) },
  task: { source: 'packages/workflow/src/completion/task-wishes.ts', call: (its, text) => its.taskWishes(text) },
  claim: {
    source: 'packages/workflow/src/completion/answer-words.ts',
    call: (its, text) => [its.claimsDone(text), its.handsBack(text), its.findsNothingToDo(text)],
  },
  announcement: {
    source: 'packages/workflow/src/recovery/narrates-instead-of-acting.ts',
    call: (its, text) => its.narratesInsteadOfActing(text),
  },
  loop: {
    source: 'packages/workflow/src/recovery/detect-text-loop.ts',
    call: (its, text) => its.detectTextLoop(text, [`${text}1`, `${text}2`, text]),
  },
  error: { source: 'packages/workflow/src/recovery/error-category.ts', call: (its, text) => its.errorCategory(text) },
  counts: { source: 'packages/workflow/src/goal/read-counts.ts', call: (its, text) => its.readCounts(text) },
  path: {
    source: 'packages/workflow/src/goal/check-files.ts',
    length: 4_000,
    call: (its, text) => its.isCheckFile(text),
  },
  check: { source: 'packages/workflow/src/goal/read-check.ts', call: (its, text) => its.readCheck(text) },
  command: { source: 'packages/workflow/src/permission/shell-class.ts', call: (its, text) => its.shellClass(text) },
  secrets: {
    source: 'apps/cli/src/redact/redactor.ts',
    call: (its, text) => new its.Redactor(new Uint8Array(32)).text(text),
  },
  markdown: {
    source: 'apps/cli/src/interactive/markdown.ts',
    call: (its, text) => {
      const markdown = new its.MarkdownLines(
        (_style, shown) => shown,
        () => 80,
      )
      return [...text.split('\n').flatMap((line) => markdown.line(line)), ...markdown.end()]
    },
  },
}

const pieces = [
  ['\n', '\t', ' ', ' \n', '`', '*', '_', '#', '<', '.', '?', '"', '/', '-', '=', '(', '[', '{', '!'],
  ['a', 'a-', 'a.', 'a/', '/a', './', '- ', '> ', '# ', '. ', '1 ', '| ', '[x] ', '**a ', '`a', '```', '```\n'],
  ['$(', '"$(', '${x:-', '$((', '<(', '<<', '<<E\n', '[[ ', '((', 'a=(', 'a|', '{a,', 'if ', 'f() { ', 'env ', 'eval '],
  ['please ', 'please, ', 'let me ', "i'll now ", 'and then ', 'you can ', 'already ', '[calls ', 'calling x tool '],
  ['1 a, ', '1 a | ', 'Tests  ', 'ok\n', 'not ok 1\n', 'Ran 1 tests in 1s\n', 'Summary [', '  1 passing (1ms)\n'],
  ['# tests 1\n# a 1\n', 'error: ', 'x: 1: ', 'cannot rebase: ', 'a: error: ', 'Command "', 'test-', 'test_'],
  ['x:y@', '-----BEGIN PRIVATE KEY-----', 'eyJ', 'A_B', 'http://', 'TOKEN', 'aws secret ', 'Bearer  '],
].flat()
const frames = [(run) => run, (run) => `x${run}`, (run) => `${run}x\n`]

export async function figures() {
  const rows = []
  for (const [name, { source, call, length = usualLength }] of Object.entries(readers)) {
    const its = await import(new URL(`../${source}`, import.meta.url))
    const read = (text) => call(its, text)
    const worst = pieces
      .flatMap((piece) => frames.map((frame) => ({ piece, growth: growthOf(read, length, piece, frame) })))
      .reduce((one, other) => (other.growth > one.growth ? other : one))
    rows.push(atMost(`${name}, 8 times the text (${JSON.stringify(worst.piece)})`, worst.growth, 'x', bar))
  }
  return rows
}

function growthOf(read, length, piece, frame) {
  const [few, many] = [length / 8, length].map((each) => frame(piece.repeat(each / piece.length)))
  const after = fastest(read, many)
  return after < negligibleMs ? 1 : after / fastest(read, few)
}

/** A pause of the machine makes a reading slower, and never faster. */
function fastest(read, text) {
  return Math.min(...[1, 2, 3].map(() => time(read, text)))
}

function time(read, text) {
  const start = performance.now()
  read(text)
  return performance.now() - start
}
