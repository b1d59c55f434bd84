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

/** Every setting that holds here, so that those which run programs can be overruled; or why there are none. */
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

/** A name, and a value in the lines after it. */
function settingIn(entry: string): Setting {
  const end = entry.indexOf('\n')
  return end < 0 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)]
}

/** A file with revisions that blame passes over. Git shows what is in it when it is none, and cannot be told not to. */
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
