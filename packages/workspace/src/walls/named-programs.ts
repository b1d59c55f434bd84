import { join, resolve } from 'node:path'
import type { GitSetting } from './git-settings.ts'

/** Paths that settings of git may make it run something from. */
export interface NamedBySettings {
  /** Folders of hooks, and of templates, which hold some. */
  readonly folders: readonly string[]
  /** Filters, helpers, monitors, and the scripts that these are given. */
  readonly programs: readonly string[]
}

/** Settings whose values name no program. What is missing here is guarded without need, and nothing worse. */
const namesNoProgram =
  /^(?!submodule\..*\.update$)(user|author|committer|alias|branch|color|column|advice|url|submodule|extensions|include|includeif|safe|maintenance|gui)\.|^core\.worktree$|^init\.defaultbranch$|^remote\..*\.(url|pushurl|fetch|push)$|file$|^commit\.template$/s

/**
 * What settings name in a work tree. Whatever a setting is for, a word of its value that could be a file of the work tree
 * counts.
 */
export function namedBySettings(
  settings: readonly GitSetting[],
  tops: readonly string[],
  home: string,
): NamedBySettings {
  const located = (words: readonly string[]) => [
    ...new Set(
      words.flatMap((word) =>
        word.startsWith('~/') ? [join(home, word.slice(2))] : tops.map((top) => resolve(top, word)),
      ),
    ),
  ]
  const isFolder = ({ key }: GitSetting) => key === 'core.hookspath' || key === 'init.templatedir'
  return {
    folders: located(settings.filter(isFolder).map(({ value }) => value)),
    programs: located(settings.filter(({ key }) => !namesNoProgram.test(key)).flatMap(wordsOf)),
  }
}

/** Programs that run the file that they are given, whatever its name. */
const interpreter = /(^|\/)((ba|da|z|k)?sh|(python|perl|ruby|node|deno|bun)[\d.]*)$/

function wordsOf({ value }: GitSetting): readonly string[] {
  const words = value.split(/[\s"'`;|&()<>$={}!]+/).filter((word) => word !== '' && !word.startsWith('-'))
  const quoted = [...value.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, other]) => one ?? other ?? '')
  const isRun = words.some((word) => interpreter.test(word))
  // A program without a slash is looked for on the PATH.
  return [value, ...words, ...quoted].filter((word) => isRun || /[/.]/.test(word))
}
