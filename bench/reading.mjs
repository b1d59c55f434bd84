// No text may make reading slow: whatever is repeated, eight times as much of it takes about eight times as long. A
// reader that looked at every pair of letters would take sixty-four times as long, and a regular expression that tries
// everything would not come back.
// @boundaries-ignore no public name
import { MarkdownLines } from '../apps/cli/src/interactive/markdown.ts'
// @boundaries-ignore no public name
import { Redactor } from '../apps/cli/src/redact/redactor.ts'
// @boundaries-ignore no public name
import { covers, mentions, readText } from '../packages/workflow/src/planning/coverage.ts'
// @boundaries-ignore no public name
import { isPastWork } from '../packages/workflow/src/planning/is-past-work.ts'
// @boundaries-ignore no public name
import { parseBrief } from '../packages/workflow/src/planning/parse-brief.ts'
// @boundaries-ignore no public name
import { parsePlan } from '../packages/workflow/src/planning/parse-plan.ts'
// @boundaries-ignore no public name
import { plannedFiles } from '../packages/workflow/src/planning/planned-files.ts'
// @boundaries-ignore no public name
import { readQuestion } from '../packages/workflow/src/planning/read-question.ts'
// @boundaries-ignore no public name
import { normalized } from '../packages/workflow/src/text/normalized.ts'
// @boundaries-ignore no public name
import { readShell } from '../packages/workflow/src/permission/shell/read-shell.ts'
// @boundaries-ignore no public name
import { detectTextLoop } from '../packages/workflow/src/recovery/detect-text-loop.ts'
// @boundaries-ignore no public name
import { errorCategory } from '../packages/workflow/src/recovery/error-category.ts'
// @boundaries-ignore no public name
import { isConversational } from '../packages/workflow/src/routing/is-conversational.ts'
// @boundaries-ignore no public name
import { readSignals } from '../packages/workflow/src/routing/read-signals.ts'
import { atMost } from './store/figure.mjs'

/** As much as is read at once; a path has an end. */
const usualLength = 16_000
/** A reading below this is no matter, and the clock would see more of the machine in it than of the reader. */
const negligibleMs = 20
const bar = 24

/** What reads the texts of models, users and programs; some are only given shorter ones. */
const readers = {
  signals: { read: (text) => readSignals(text) },
  talk: {
    read: (text) => isConversational(text),
  },
  brief: {
    read: (text) => parseBrief(`## In Scope\n${text}`, 'task'),
  },
  plan: {
    read: (text) => parsePlan(`## Execution Order\n${text}\n## Verification Commands\n${text}`, 'task'),
  },
  'planned files': {
    read: (text) => plannedFiles({ implementation: `## File Changes\n- ${text}` }),
  },
  question: { read: (text) => readQuestion(text) },
  coverage: {
    read: (text) => [mentions(readText(text), 'src/user-profile.ts'), covers(readText(text), 'it covers')],
  },
  'normal form': { read: (text) => normalized(text) },
  'past work': { read: (text) => isPastWork(text) },
  loop: {
    read: (text) => detectTextLoop(text, [`${text}1`, `${text}2`, text]),
  },
  error: { read: (text) => errorCategory(text) },
  command: { read: (text) => readShell(text) },
  secrets: {
    read: (text) => new Redactor(new Uint8Array(32)).text(text),
  },
  markdown: {
    read: (text) => {
      const markdown = new MarkdownLines(
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

export function figures() {
  const rows = []
  for (const [name, { read }] of Object.entries(readers)) {
    const worst = pieces
      .flatMap((piece) => frames.map((frame) => ({ piece, growth: growthOf(read, piece, frame) })))
      .reduce((one, other) => (other.growth > one.growth ? other : one))
    rows.push(atMost(`${name}, 8 times the text (${JSON.stringify(worst.piece)})`, worst.growth, 'x', bar))
  }
  return rows
}

function growthOf(read, piece, frame) {
  const [few, many] = [usualLength / 8, usualLength].map((each) => frame(piece.repeat(each / piece.length)))
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
