import { join, resolve } from 'node:path'
import type { GitSetting } from './git-settings.ts'

/** Paths from which git settings may make git run programs. */
export interface NamedBySettings {
  /** Folders of hooks, and of templates, which contain hooks. */
  readonly folders: readonly string[]
  /** Filters, helpers and monitors, and scripts passed to them. */
  readonly programs: readonly string[]
}

/** Settings whose values never name a program. One that is missing here only causes an unneeded guard. */
const namesNoProgram =
  /^(?!submodule\..*\.update$)(user|author|committer|alias|branch|color|column|advice|url|submodule|extensions|include|includeif|safe|maintenance|gui)\.|^core\.worktree$|^init\.defaultbranch$|^remote\..*\.(url|pushurl|fetch|push)$|file$|^commit\.template$/s

/**
 * The paths in a work tree that settings name. Whatever a setting is for, every word of its value that could be a file
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

/** Interpreters, which run the file they are given. */
const interpreter = /(^|\/)((ba|da|z|k)?sh|(python|perl|ruby|node|deno|bun)[\d.]*)$/

function wordsOf({ value }: GitSetting): readonly string[] {
  const words = value.split(/[\s"'`;|&()<>$={}!]+/).filter((word) => word !== '' && !word.startsWith('-'))
  const quoted = [...value.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, other]) => one ?? other ?? '')
  const isRun = words.some((word) => interpreter.test(word))
  // A program name without a slash is looked up on the PATH.
  return [value, ...words, ...quoted].filter((word) => isRun || /[/.]/.test(word))
}
