import { loader } from '../written/fake-console.ts'

// Imports a file in a process of its own, and tells what that took in memory at most, in MB.

const [path = '', folder = ''] = process.argv.slice(2)
const { code, out, err } = await loader(['import', path, '--json'], { folder })
if (code !== 0) throw new Error(err)
const { id, turns } = JSON.parse(out)
console.log(JSON.stringify({ id, turns, peak: Math.round(process.resourceUsage().maxRSS / 1024) }))
