// Loaded before a program, writes the most memory that its process has had, in KiB, into a file.
import { writeFileSync } from 'node:fs'

process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)))
