import { createHash } from 'node:crypto'
import { harmlessVariables } from '../git/repository.ts'
import { type EndedProgram, runProgram } from '../processes/run-program.ts'
import { rawBytes } from './raw-bytes.ts'
import { type RawPath, splitAtNul } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

/**
 * As far as git can tell: the commit of each repository, and a digest of what is changed in it. The repository may be that
 * of a stranger: none of the programs that its settings name is started. That is why repositories within it are passed
 * over: git looks into those without what holds here.
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
