/**
 * Shows the files of a workspace with their hashes, as JSON, without the rights of the superuser.
 *
 *   node take-snapshot.ts <workspace>
 */
import { writeSync } from 'node:fs'
import { openWorkspace } from '@loader/workspace'

const nobody = 65_534
if (process.geteuid?.() === 0) process.seteuid?.(nobody)

const { files } = await openWorkspace({ root: process.argv[2] ?? '', git: null }).snapshot()
writeSync(1, JSON.stringify(Object.fromEntries(files)))
