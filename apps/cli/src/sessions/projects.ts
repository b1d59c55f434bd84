import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import * as z from 'zod'
import { readJsonFile } from '../settings/json-file.ts'

const Projects = z.object({ projects: z.array(z.object({ root: z.string(), usedAt: z.string() })) })

/** More than these are forgotten, the ones that were not used for longest first. */
const mostProjects = 500

/** What stands in the way of a file, none of which may stop a run that only wanted to be remembered. */
const harmless = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST', 'ENOENT'])

/**
 * Remembers that the user has worked in a project, so that its sessions are found from elsewhere. Losing this list loses
 * nothing else: sessions lie in their projects.
 */
export function noteProject(config: string, root: string, now = new Date().toISOString()): void {
  try {
    const folder = realpathSync(root)
    const others = knownProjects(config).filter((project) => project.root !== folder)
    const projects = [{ root: folder, usedAt: now }, ...others].slice(0, mostProjects)
    const file = fileIn(config)
    mkdirSync(config, { recursive: true, mode: 0o700 })
    // The name is this process's own: two that note at once must not write into one file.
    const next = `${file}.${process.pid}.new`
    writeFileSync(next, `${JSON.stringify({ projects }, null, 2)}\n`, { mode: 0o600 })
    renameSync(next, file)
  } catch (error) {
    if (LoaderError.is(error, 'invalid_config')) return
    if (error instanceof Error && 'code' in error && harmless.has(String(error.code))) return
    throw error
  }
}

/** The projects that the user has worked in, the latest first. */
export function knownProjects(config: string): z.infer<typeof Projects>['projects'] {
  return readJsonFile(fileIn(config), Projects)?.projects ?? []
}

/** Whether the user has worked in this project: then its sessions are the user's own. */
export function hasWorkedIn(config: string, root: string): boolean {
  const folder = realpathSync(root)
  return knownProjects(config).some((project) => project.root === folder)
}

function fileIn(config: string): string {
  return join(config, 'projects.json')
}
