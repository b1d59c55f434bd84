// Runs one session of 300 turns and prints the peak memory of its process in MiB: node peak.mjs agent|floor FOLDER
import { runAgent, runFloor } from './side-by-side.mjs'

const [, , who, folder] = process.argv
await (who === 'agent' ? runAgent(folder, 300) : runFloor(folder, 300))
console.log(process.resourceUsage().maxRSS / 1024)
