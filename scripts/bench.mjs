// `pnpm bench NAME`: runs bench/NAME.mjs or bench/NAME.ts, prints its figures, writes .turbo/bench/NAME.json and exits
// 1 when a bar is missed. Without a name: all of them, each in a process of its own, so that no heap is inherited.
//
// A bench exports figures(): Promise<Array<{ figure, value, unit, bar, ok }>>. `bar` is null for a figure that is only shown.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const [name] = process.argv.slice(2)
const benches = new Map(
  readdirSync(join(root, 'bench'))
    .filter((file) => /\.(mjs|ts)$/.test(file) && !file.startsWith('interleave.'))
    .map((file) => [file.replace(/\.(mjs|ts)$/, ''), join(root, 'bench', file)]),
)

if (name === undefined) {
  const missed = [...benches.keys()].filter((each) => runAlone(each) !== 0)
  if (benches.size === 0) console.log('There is no bench yet.')
  if (missed.length > 0) console.log(`\nmissed: ${missed.join(', ')}`)
  process.exitCode = missed.length > 0 ? 1 : 0
} else if (benches.has(name)) {
  process.exitCode = await measure(name, benches.get(name))
} else {
  console.error(`There is no bench "${name}". There is: ${[...benches.keys()].join(', ') || 'none yet'}.`)
  process.exitCode = 1
}

function runAlone(each) {
  console.log(`\n${each}`)
  return spawnSync(process.execPath, [fileURLToPath(import.meta.url), each], { stdio: 'inherit' }).status
}

async function measure(each, file) {
  const { figures } = await import(pathToFileURL(file).href)
  const rows = (await figures()).map(({ figure, value, unit, bar, ok }) => ({ figure, value, unit, bar, ok }))
  print(rows)
  mkdirSync(join(root, '.turbo', 'bench'), { recursive: true })
  writeFileSync(join(root, '.turbo', 'bench', `${each}.json`), JSON.stringify(rows, null, 2) + '\n')
  return rows.every((row) => row.ok) ? 0 : 1
}

function print(rows) {
  const cells = [
    ['figure', 'value', 'unit', 'bar', ''],
    ...rows.map(({ figure, value, unit, bar, ok }) => [
      figure,
      short(value),
      unit,
      bar === null ? '' : short(bar),
      verdict(bar, ok),
    ]),
  ]
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)))
  const numeric = new Set([1, 3])
  for (const row of cells)
    console.log(
      row
        .map((cell, i) => (numeric.has(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
        .join('  ')
        .trimEnd(),
    )
}

function verdict(bar, ok) {
  if (!ok) return 'missed'
  return bar === null ? '' : 'ok'
}

function short(value) {
  if (typeof value !== 'number') return String(value)
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)))
}
