import { createHash } from 'node:crypto'
import { harmlessVariables } from '../git/repository.ts'
import { type EndedProgram, runProgram } from '../processes/run-program.ts'
import { rawBytes } from './raw-bytes.ts'
import { type RawPath, splitAtNul } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

/**
 * As far as git can tell: the commit of each repository, and a digest of its changes. A nested repository may come from
 * a stranger: no program named in its settings is started. Repositories within it are skipped for that reason: git
 * would open those without our restrictions.
 */
export async function nestedStates(
  side: SideRepository,
  paths: readonly RawPath[],
): Promise<ReadonlyMap<RawPath, string>> {
  const states = new Map<RawPath, string>()
  for (const path of paths) {
    const folder = `${side.top}/${rawBytes(path).toString('utf8').replace(/\/$/, '')}`
    const settings = await ask(side, folder, ['config', '--list', '--name-only', '-z'], [])
    const names = [...new Set(splitAtNul(settings.output))]
    const looked = settings.succeeded
      ? await ask(side, folder, [...status, '--untracked-files=all', '--ignore-submodules=all'], names)
      : settings
    const commit = /(?:^|\0)# branch\.oid ([^\0]+)/.exec(looked.output)?.[1]
    const digest = createHash('sha256').update(looked.output, 'latin1').digest('hex')
    states.set(path, looked.succeeded && commit !== undefined ? `${commit} ${digest}` : 'unknown')
  }
  return states
}

/**
 * The files of nested repositories that git does not ignore there. What git says of their changes is not enough: its index can say
 * that a file is to be taken for unchanged, and a file that was changed before looks the same when it is changed again.
 */
export async function nestedFiles(side: SideRepository, paths: readonly RawPath[]): Promise<readonly RawPath[]> {
  const files: RawPath[] = []
  for (const path of paths) {
    const folder = path.replace(/\/$/, '')
    const place = `${side.top}/${rawBytes(folder).toString('utf8')}`
    const settings = await ask(side, place, ['config', '--list', '--name-only', '-z'], [])
    if (!settings.succeeded) continue
    const listed = await ask(side, place, list, [...new Set(splitAtNul(settings.output))])
    for (const file of listed.succeeded ? splitAtNul(listed.output) : [])
      if (file !== '') files.push(`${folder}/${file}`)
  }
  return files
}

const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
const status = ['status', '--porcelain=v2', '--branch', '-z']

async function ask(
  { git, variables }: SideRepository,
  folder: string,
  args: readonly string[],
  settings: readonly string[],
): Promise<{ readonly succeeded: boolean; readonly output: string }> {
  const chunks: Uint8Array[] = []
  const { ending }: EndedProgram = await runProgram({
    program: git,
    arguments: args,
    cwd: folder,
    variables: harmlessVariables(variables, folder, settings),
    timeoutMs: 20_000,
    onOutput: (chunk) => {
      chunks.push(chunk)
      return 'more'
    },
  })
  return {
    succeeded: ending.how === 'exited' && ending.exitCode === 0,
    output: Buffer.concat(chunks).toString('latin1'),
  }
}
