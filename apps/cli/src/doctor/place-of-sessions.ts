import { closeSync, existsSync, mkdirSync, openSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ProjectFolders } from '@loader/workspace'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { shortBytes } from '@loader/readings'
import { sizeOf } from '../tables/size-on-disk.ts'
import { fileSystemName } from './file-system-name.ts'

/** With less free space, a long turn may not fit. */
const little = 100 * 1024 * 1024
const almostNone = 10 * 1024 * 1024

/** Where new sessions of a project are stored, and how much space its state takes. The check creates no files. */
export function placeChecks(directory: string, { folder, trees }: ProjectFolders): DoctorCheck[] {
  const there = nearest(directory)
  return [writable(directory, there, folder), ...treesCheck(trees), ...fileSystem(there)]
}

/** Checks the trees that undo, diff and evidence depend on. */
function treesCheck(trees: string): DoctorCheck[] {
  if (!existsSync(trees)) return []
  return [{ name: 'trees', state: 'ok', message: `${shortBytes(sizeOf(trees))} of trees of your files in ${trees}` }]
}

/** The folder, or its nearest parent that exists. */
function nearest(folder: string): string {
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  return place
}

function writable(directory: string, there: string, folder: string): DoctorCheck {
  const name = 'store'
  const probe = join(there, `.loader-doctor-${process.pid}`)
  try {
    if (there === directory) closeSync(openSync(probe, 'wx', 0o600))
    else mkdirSync(probe)
    rmSync(probe, { recursive: true, force: true })
    const message =
      there === directory
        ? `${directory} can be written; ${shortBytes(sizeOf(folder))} are kept of this project in ${folder}`
        : `${directory} is not there yet and can be made`
    return { name, state: 'ok', message }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return {
      name,
      state: 'failure',
      message: `${there} cannot be written: ${error.message}. Sessions cannot be kept there.`,
    }
  }
}

function fileSystem(there: string): DoctorCheck[] {
  try {
    const { type, bavail, bsize } = statfsSync(there)
    const free = bavail * bsize
    const { name, isShared } = fileSystemName(type)
    const state = free < almostNone ? 'failure' : free < little ? 'warning' : 'ok'
    return [
      {
        name: 'disk',
        state,
        message: `${shortBytes(free)} free${state === 'ok' ? '' : ': make space before a long turn'}`,
      },
      isShared
        ? {
            name: 'file system',
            state: 'warning',
            message: `${name}: it is not guaranteed that a write survives a power cut, nor that a writer elsewhere is seen`,
          }
        : { name: 'file system', state: 'ok', message: name },
    ]
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return [{ name: 'disk', state: 'note', message: `not known: ${error.message}` }]
  }
}
