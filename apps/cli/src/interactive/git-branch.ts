import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { codeOf } from '@loader/workspace'

/** The branch that is checked out in a folder, or the beginning of the commit; undefined without git. */
export function gitBranch(folder: string): string | undefined {
  for (let here = folder; ; here = dirname(here)) {
    const head = headOf(join(here, '.git'))
    if (head !== undefined) return branchIn(head)
    if (dirname(here) === here) return undefined
  }
}

function branchIn(head: string): string | undefined {
  const [, branch] = /^ref: refs\/heads\/(\S+)/.exec(head) ?? []
  return branch ?? /^[\da-f]{7}/.exec(head)?.[0]
}

/** In a worktree, `.git` is a file that names the folder. */
function headOf(git: string): string | undefined {
  const head = textOf(join(git, 'HEAD'))
  if (head !== undefined) return head
  const [, folder] = /^gitdir: (.+)/.exec(textOf(git) ?? '') ?? []
  return folder === undefined ? undefined : textOf(join(resolve(dirname(git), folder.trim()), 'HEAD'))
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
