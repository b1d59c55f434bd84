import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clearTimeout, setTimeout } from 'node:timers'
import { temporaryWorkspace } from '../environment/temporary-workspace.ts'
import { type Job, ChildReport } from './child.ts'
import type { Boundary } from './life.ts'
import type { Lifetime } from './ports.ts'
import { disposeOf, type End, type CrashStage } from './stage.ts'

export interface ProcessStageOptions<World> {
  /** The file URL of a module that exports `scenario`, `resume` and, if it uses `ports.store`, `storeOf`. */
  readonly module: string
  readonly prepare?: () => World | Promise<World>
  /** More arguments for Node, such as a loader. */
  readonly execArgv?: readonly string[]
  /** How long a child may live. */
  readonly milliseconds: number
}

export async function processStage<World, Result>(options: ProcessStageOptions<World>): Promise<CrashStage<Result>> {
  const world = await (options.prepare?.() ?? temporaryWorkspace())
  const reports = mkdtempSync(join(tmpdir(), 'loader-crash-matrix-'))
  return {
    scenario: (killAt) => live('scenario', killAt),
    resume: () => live('resume', null),
    async dispose() {
      rmSync(reports, { recursive: true, force: true })
      await disposeOf(world)
    },
  }

  async function live(lifetime: Lifetime, killAt: number | null): Promise<End<Result>> {
    const report = join(reports, lifetime)
    // The child parses the job as JSON: other values of a world do not reach it.
    const job = { module: options.module, lifetime, world, killAt, report } as Job
    const exit = await runChild(job, options)
    return endOf(exit, linesOf(report), job)
  }
}

interface Exit {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
}

function runChild(
  job: Job,
  { execArgv = [], milliseconds }: Omit<ProcessStageOptions<unknown>, 'module'>,
): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const args = [...execArgv, ...nodeArguments(), JSON.stringify(job)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`The ${job.lifetime} in ${job.module} did not end within ${milliseconds} ms.${quoted(stderr)}`))
    }, milliseconds)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, stderr })
    })
  })
}

function endOf<Result>(exit: Exit, reports: readonly ChildReport[], { module, killAt }: Job): End<Result> {
  const boundaries = reports.flatMap((report): Boundary[] => {
    if (report.type !== 'boundary') return []
    const { number, kind, label } = report
    return [{ number, kind, label }]
  })
  const last = reports.at(-1)
  if (last?.type === 'result') return { end: 'finished', boundaries, result: last.result as Result }
  if (last?.type === 'failed') return { end: 'failed', boundaries, message: last.message }
  const wasKilled = exit.signal === 'SIGKILL' || process.platform === 'win32'
  if (wasKilled && last !== undefined && last.number === killAt) return { end: 'killed', boundaries }
  throw new Error(
    `A child process for ${module} ended by itself (code ${exit.code}, signal ${exit.signal}) without a result.` +
      quoted(exit.stderr),
  )
}

function linesOf(report: string): ChildReport[] {
  if (!existsSync(report)) return []
  const lines = readFileSync(report, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => ChildReport.parse(JSON.parse(line)))
}

function quoted(stderr: string): string {
  return stderr === '' ? '' : ` It wrote:\n${stderr.trim()}`
}

/** In this repository the sources run as they are; everywhere else this is part of `dist`, next to `index.js`. */
function nodeArguments(): readonly string[] {
  const isSource = import.meta.url.endsWith('.ts')
  const harness = new URL(isSource ? './child.ts' : './index.js', import.meta.url).href
  const code = `const { crashChild } = await import(${JSON.stringify(harness)}); await crashChild(process.argv[1])`
  return [...(isSource ? ['--conditions=@loader/source'] : []), '--input-type=module', '--eval', code]
}
