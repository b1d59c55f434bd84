import { resolve } from 'node:path'
import type { Signal } from '@loader/session-core'
import { resolvePlace, runProgram, type ChildVariables } from '@loader/workspace'

const mostSettingBytes = 256 * 1024

/** How git is started for one call. */
export interface GitPlace {
  readonly program: string
  readonly cwd: string
  readonly timeoutMs: number
  readonly signal: Signal | undefined
}

export type Setting = readonly [name: string, value: string]

/** Every effective setting, so that those which run programs can be overridden; or why they could not be read. */
export async function gitSettings(place: GitPlace, variables: ChildVariables): Promise<readonly Setting[] | string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const { ending, errors } = await runProgram({
    ...place,
    arguments: ['config', '--list', '-z'],
    variables,
    onOutput: (chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      return bytes > mostSettingBytes ? 'enough' : 'more'
    },
  })
  if (ending.how !== 'exited' || ending.exitCode !== 0) {
    return `The settings of the repository cannot be read, so git is not run here. ${errors.trim()}`.trim()
  }
  const entries = Buffer.concat(chunks).toString('utf8').split('\0')
  return entries.filter((entry) => entry !== '').map(settingIn)
}

/** An entry of `git config`: a name, and a value in the following lines. */
function settingIn(entry: string): Setting {
  const end = entry.indexOf('\n')
  return end < 0 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)]
}

/**
 * Why `blame` is refused: it would print the content of a file of ignored revisions that is invalid, wherever it lies.
 */
export function ignoredRevisionsFault(
  root: string,
  repository: string,
  settings: readonly Setting[],
): string | undefined {
  const files = settings.filter(([name, value]) => name.toLowerCase() === 'blame.ignorerevsfile' && value !== '')
  const outside = files.find(([, file]) => {
    const place = resolvePlace(root, resolve(repository, file))
    return place.kind === 'refused' || !place.inside
  })
  return (
    outside && `blame.ignoreRevsFile names ${outside[1]}, which lies outside the workspace. Use log or show instead.`
  )
}
