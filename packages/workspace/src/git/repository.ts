import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChildVariables } from '../processes/child-variables.ts'

/** The folder that contains the `.git` which a real path belongs to. */
export function repositoryAbove(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/**
 * Settings whose names show that they make git run programs. A repository can come from a stranger, and its settings
 * with it; the command line and these variables override them.
 */
const runsPrograms =
  /^((filter|diff|merge|gpg|trailer|credential|remote|difftool|mergetool|pager|alias)\..*\.)(clean|smudge|process|command|textconv|driver|program|cmd|helper|uploadpack|receivepack|vcs|defaultkeycommand)$/i
const requiresFilter = /^filter\..*\.required$/i

/** A path at which no program can exist. */
const nothing = '/dev/null/none'

const always: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', nothing],
  ['core.pager', 'cat'],
  ['core.editor', nothing],
  ['core.askPass', nothing],
  ['core.sshCommand', nothing],
  ['core.gitProxy', nothing],
  ['core.alternateRefsCommand', nothing],
  ['core.quotePath', 'false'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.autoRefreshIndex', 'false'],
  ['diff.submodule', 'short'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  ['gpg.program', nothing],
  ['gpg.openpgp.program', nothing],
  ['gpg.x509.program', nothing],
  ['gpg.ssh.program', nothing],
  ['log.showSignature', 'false'],
  ['log.diffMerges', 'separate'],
  ['safe.bareRepository', 'explicit'],
  ['color.ui', 'false'],
  ['column.ui', 'never'],
]

/**
 * The environment for reading one repository with git so that git runs no program named in the repository's settings.
 */
export function harmlessVariables(
  variables: ChildVariables,
  repository: string,
  settings: readonly string[] = [],
): ChildVariables {
  const own = Object.entries(variables).filter(([name]) => !/^GIT_/i.test(name))
  const overrides = [...always, ...settings.flatMap(disarmed)]
  return {
    ...Object.fromEntries(own),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_ADVICE: '0',
    GIT_NO_LAZY_FETCH: '1',
    // No protocol has this name, so git never fetches anything.
    GIT_ALLOW_PROTOCOL: 'none',
    // Set explicitly, because the repository's own settings could name any other folder of the machine.
    GIT_WORK_TREE: repository,
    GIT_CEILING_DIRECTORIES: dirname(repository),
    GIT_CONFIG_COUNT: `${overrides.length}`,
    ...Object.fromEntries(
      overrides.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

function disarmed(setting: string): [string, string][] {
  if (requiresFilter.test(setting)) return [[setting, 'false']]
  return runsPrograms.test(setting) ? [[setting, '']] : []
}
