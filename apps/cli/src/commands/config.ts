import { existsSync } from 'node:fs'
import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOf } from '../places/places.ts'
import { shortPath } from '../places/short-path.ts'
import type { ConfigOutput } from '../schemas/config.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { cut } from '../screen/width.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { settingsFiles } from '../settings/settings-files.ts'
import { shownSettings } from '../settings/shown-settings.ts'
import { table } from '../tables/table.ts'

/** Prints every setting with its value and its source. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const loaded = loadSettings(places, { environment: console.environment })
  const output: ConfigOutput = {
    settings: shownSettings(loaded),
    files: settingsFiles(places).map(({ file, ofProject }) => ({
      file,
      isThere: existsSync(file),
      holds: ofProject && !loaded.trusted ? 'only what narrows: the project is not trusted' : 'all of it',
    })),
    project: { root: places.root, trusted: loaded.trusted },
  }
  if (given.has('json')) printJson(console, output)
  else
    printLines(
      console,
      settingsLines(output, {
        width: columnsOf(console),
        paint: paintFor(given, console),
        isWhole: console.stdout.isTTY !== true,
      }),
    )
  return 'ok'
}

type Row = Pick<ConfigOutput['settings'][number], 'name' | 'value' | 'source'> & { readonly weak: boolean }

interface LinesOptions {
  readonly width: number
  readonly paint: Paint
  /** Whether values are printed whole, because a program reads them. */
  readonly isWhole: boolean
}

/** Room for the names of usual files. */
const widestSource = 24

function settingsLines({ settings, files, project }: ConfigOutput, options: LinesOptions): string[] {
  const short = (file: string) => shortPath(file, project.root)
  const rows = settings.flatMap(({ name, value, source, others }): Row[] => [
    { name, value, source: short(source), weak: source === 'default' },
    ...others.map((one): Row => {
      const state = one.ignored === null ? 'overridden' : 'ignored'
      return { name: '', value: one.value, source: `${short(one.source)}, ${state}`, weak: true }
    }),
  ])
  const names = Math.max(...rows.map(({ name }) => name.length))
  const sources = Math.min(widestSource, Math.max(...rows.map(({ source }) => source.length)))
  const room = options.isWhole ? Number.POSITIVE_INFINITY : Math.max(12, options.width - names - sources - 4)
  const reasons = new Set(settings.flatMap(({ others }) => others.flatMap(({ ignored }) => ignored ?? [])))
  return [
    `Project: ${inOneLine(project.root)}${project.trusted ? ', trusted' : ', not trusted'}`,
    ...files.map(
      ({ file, isThere, holds }) =>
        `${isThere ? 'read:   ' : 'absent: '} ${inOneLine(short(file))}${isThere ? `, ${holds}` : ''}`,
    ),
    '',
    ...table<Row>(
      rows,
      [
        { head: 'setting', cell: ({ name }) => name, style: ({ weak }) => (weak ? 'dim' : 'bold') },
        {
          head: 'value',
          cell: ({ value }) => cut(shown(value), room),
          style: ({ weak }) => (weak ? 'dim' : undefined),
        },
        { head: 'source', flexible: true, cell: ({ source }) => inOneLine(source), style: () => 'dim' },
      ],
      options,
    ),
    ...(reasons.size === 0 ? [] : ['', ...[...reasons].map((reason) => `Ignored: ${reason}`)]),
  ]
}

function shown(value: Row['value']): string {
  if (value === null) return '-'
  return inOneLine(typeof value === 'string' ? value : JSON.stringify(value))
}
