import { createHash } from 'node:crypto'
import { harmlessVariables } from '../git/repository.ts'
import { runProgram } from '../processes/run-program.ts'
import { type RawPath, rawBytes } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

/** As far as git can tell: the commit of each repository, and a digest of what is changed in it. */
export async function nestedStates(
  { top, git, variables }: SideRepository,
  paths: readonly RawPath[],
): Promise<ReadonlyMap<RawPath, string>> {
  const states = new Map<RawPath, string>()
  for (const path of paths) {
    const folder = `${top}/${rawBytes(path).toString('utf8').replace(/\/$/, '')}`
    const chunks: Uint8Array[] = []
    const { ending } = await runProgram({
      program: git,
      arguments: ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all'],
      cwd: folder,
      variables: harmlessVariables(variables, folder),
      timeoutMs: 20_000,
      onOutput: (chunk) => {
        chunks.push(chunk)
        return 'more'
      },
    })
    const output = Buffer.concat(chunks)
    const commit = /^# branch\.oid (\S+)/m.exec(output.toString('latin1').replaceAll('\0', '\n'))?.[1]
    const known = ending.how === 'exited' && ending.exitCode === 0 && commit !== undefined
    states.set(path, known ? `${commit} ${createHash('sha256').update(output).digest('hex')}` : 'unknown')
  }
  return states
}
