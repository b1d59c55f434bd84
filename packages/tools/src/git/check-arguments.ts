import { resolve } from 'node:path'
import { isWithin } from '@loader/workspace'
import { type ActionOptions, type GitAction, optionsOf } from './options.ts'

/** The arguments to pass to git, or why they are refused. */
export type CheckedArguments =
  | { readonly kind: 'fine'; readonly arguments: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

/** Accepts only arguments that read, and only within the workspace. Both paths are real paths. */
export function checkArguments(
  action: GitAction,
  given: readonly string[],
  place: { readonly root: string; readonly cwd: string },
): CheckedArguments {
  const options = optionsOf[action]
  let onlyPaths = false
  let valueOf: string | undefined
  for (const argument of given) {
    const why = onlyPaths
      ? outsideOf(argument, place)
      : valueOf !== undefined
        ? valueFault(valueOf, argument)
        : argument.startsWith('-') && argument !== '--'
          ? optionFault(action, options, argument)
          : outsideOf(argument, place)
    if (why !== undefined || hasControls(argument)) {
      return { kind: 'refused', why: why ?? `${JSON.stringify(argument)} contains control characters.` }
    }
    valueOf = !onlyPaths && valueOf === undefined && options.valued.has(argument) ? argument : undefined
    onlyPaths ||= argument === '--'
  }
  return { kind: 'fine', arguments: [action, ...beforeOf(action, given), ...given] }
}

/** With `--show-current` or `--list` git only reads; a name alone would create a branch. */
function beforeOf(action: GitAction, given: readonly string[]): readonly string[] {
  const shows = action === 'branch' && given.length === 1 && given[0] === '--show-current'
  return shows ? [] : optionsOf[action].before
}

function optionFault(action: GitAction, options: ActionOptions, argument: string): string | undefined {
  const [name = '', ...rest] = argument.split('=')
  const value = argument.startsWith('--') && rest.length > 0 ? rest.join('=') : undefined
  if (value !== undefined && (options.optional.has(name) || options.valued.has(name))) return valueFault(name, value)
  const alone = options.flags.has(argument) || options.optional.has(argument) || options.valued.has(argument)
  if (alone || options.attached?.test(argument)) return undefined
  return `git ${action} is not run with ${argument}: only options that look at the repository are. Use bash for others.`
}

function valueFault(option: string, value: string): string | undefined {
  if (value.startsWith('-')) return `${value} cannot be the value of ${option}. Write ${option}=… if it is one.`
  if (/^--(format|pretty)$/.test(option) && /%G|signature/.test(value)) {
    return `${option} may not check signatures: git would run another program.`
  }
  return undefined
}

/** Finds a path outside of the repository: git would compare any two files of the machine if one lies outside. */
function outsideOf(
  argument: string,
  { root, cwd }: { readonly root: string; readonly cwd: string },
): string | undefined {
  const leaves = argument.startsWith('/') || argument.split(/[/\\]/).includes('..')
  if (!leaves || isWithin(root, resolve(cwd, argument))) return undefined
  return `${argument} lies outside the workspace.`
}

function hasControls(argument: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return /[\u0000-\u001f\u007f]/.test(argument)
}
