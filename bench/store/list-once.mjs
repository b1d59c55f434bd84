// Lists the sessions of a folder, the first page or all of them, and prints the peak of its own resident memory in MiB.
import { FileSessionStore } from '@loader/session-fs'
import { peak } from './peak.mjs'

const [directory, what] = process.argv.slice(2)
const page = await new FileSessionStore({ directory }).list(what === 'all' ? { limit: Number.POSITIVE_INFINITY } : {})
if (page.rows.length === 0) throw new Error('There is nothing to list.')
console.log(peak())
