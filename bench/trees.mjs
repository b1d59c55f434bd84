// What it costs to know a workspace as a git tree, beside `git status` in the same project: both look at every file.
import { execFileSync } from 'node:child_process'
import { appendFileSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalTrees, programOnPath } from '@loader/workspace'
import { atMost, shown } from './store/figure.mjs'
import { rounds } from './store/rounds.mjs'
import { git, pathOf, withTree } from './tools/tree.mjs'

const files = 5000

export async function figures() {
  return withTree(files, async (root) => {
    git(root, 'init', '--quiet')
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'files')
    const folder = `${root}-side`
    try {
      return await measure(root, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

async function measure(root, folder) {
  const program = programOnPath('git', process.env, root)
  using trees = new LocalTrees({ root, folder, git: program, variables: process.env })
  const first = await timed(() => taken(trees))
  // Files that were written in the last two seconds are read again at each look; those of a project are older.
  const young = await timed(() => taken(trees))
  await new Promise((resolve) => setTimeout(resolve, 4000))
  await taken(trees)
  const { ratio, medianMs } = await rounds(31, {
    tree: async () => (await timed(() => taken(trees))).ms,
    git: async () => (await timed(() => execFileSync(program, ['status', '--porcelain'], { cwd: root }))).ms,
  })
  const before = sizeOf(folder)
  const turns = 100
  const changes = []
  for (let turn = 0; turn < turns; turn += 1) {
    writeFileSync(join(root, pathOf(turn * 37 + 1)), `export const changed = ${turn}\n`.repeat(60))
    changes.push((await timed(() => taken(trees))).ms)
  }
  const space = (sizeOf(folder) - before) / turns / 1024
  const last = await taken(trees)
  const plan = await timed(() => trees.planRestore(last, first.result))
  const undone = await timed(() => trees.restore(plan.result))
  if (undone.result.some(({ outcome }) => outcome !== 'restored')) throw new Error('not everything was restored')
  const checkouts = []
  for (const { id } of [first.result, last, first.result]) {
    checkouts.push(
      await timed(async () => {
        await using _ = await trees.checkOut(id)
      }),
    )
  }
  return [
    ...(await packFigures(root, trees)),
    shown('first tree, 5,000 files', first.ms, 'ms'),
    atMost('tree, unchanged, to git status', ratio('tree', 'git'), 'x', 4),
    shown('tree, unchanged', medianMs.tree, 'ms'),
    shown('tree, unchanged, right after all files were written', young.ms, 'ms'),
    shown('git status', medianMs.git, 'ms'),
    shown('tree, one file changed', median(changes), 'ms'),
    atMost('space of a turn that changes one file, on the disk', space, 'KiB', 20),
    shown(`preview of taking ${turns} files back`, plan.ms, 'ms'),
    shown(`taking ${turns} files back`, undone.ms, 'ms'),
    shown('first frozen checkout, 5,000 files', checkouts[0].ms, 'ms'),
    shown(`frozen checkout, ${turns} files differ`, checkouts[2].ms, 'ms'),
  ]
}

/** What other machines need to have the same files, as it is stored with a session. */
async function packFigures(root, trees) {
  let since
  const pack = async () => {
    const tree = await taken(trees)
    const { ms, result } = await timed(() => trees.packs.pack(tree, { since, carry: [] }))
    if (result.kind === 'packed') since = result.saved
    return { ms, bytes: result.kind === 'packed' ? result.saved.bytes : 0 }
  }
  const whole = await pack()
  const remote = `${root}-remote`
  git(root, 'clone', '--quiet', '--bare', '.', remote)
  git(root, 'remote', 'add', 'origin', remote)
  git(root, 'fetch', '--quiet', 'origin')
  since = undefined
  const beside = await pack()
  const changing = async (count, from) => {
    for (let file = 0; file < count; file += 1)
      appendFileSync(join(root, pathOf((from + file) * 53 + 7)), '// one more line\n')
    return pack()
  }
  const [one, many, none] = [[], [], []]
  for (let turn = 0; turn < 15; turn += 1) {
    one.push(await changing(1, turn))
    many.push(await changing(31, 100 + turn * 31))
    none.push(await pack())
  }
  const [ms, bytes] = [(all) => median(all.map((each) => each.ms)), (all) => median(all.map((each) => each.bytes))]
  rmSync(remote, { recursive: true, force: true })
  return [
    atMost('pack, one file changed', bytes(one), 'B', 2_000),
    atMost('pack, 31 files changed', bytes(many), 'B', 16_000),
    shown('pack of everything, without a remote', whole.bytes / 1024, 'KiB'),
    shown('pack of everything, beside a remote', beside.bytes / 1024, 'KiB'),
    shown('time of a pack, one file changed', ms(one), 'ms'),
    shown('time of a pack, 31 files changed', ms(many), 'ms'),
    shown('time of a pack where nothing changed', ms(none), 'ms'),
    shown('time of a pack of everything', whole.ms, 'ms'),
  ]
}

async function taken(trees) {
  const answer = await trees.take()
  if (answer.kind === 'refused') throw new Error(answer.why)
  return answer.tree
}

/** What it takes up on the disk: whole blocks. */
function sizeOf(folder) {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return all.reduce((sum, path) => sum + lstatSync(join(folder, path)).blocks * 512, 0)
}

async function timed(work) {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1]
}
