import * as z from 'zod'
import type { MarkerFiles } from './marker-files.ts'
import type { ObservedFacts } from './project-facts.ts'

const PackageFile = z.object({
  packageManager: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.unknown()).optional().catch(undefined),
})

const lockFiles = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
] as const

/** Conventional script names for each purpose, the most usual first. */
const scriptNames = {
  test: ['test'],
  lint: ['lint'],
  build: ['build'],
  typecheck: ['typecheck', 'type-check', 'check-types', 'types', 'tsc'],
}

export async function nodeFacts(files: MarkerFiles): Promise<ObservedFacts | undefined> {
  if (!files.has('package.json')) return undefined
  const { packageManager: named, scripts = {} } = parsePackage((await files.text('package.json')) ?? '')
  const packageManager = managerOf(named) ?? lockFiles.find(([name]) => files.has(name))?.[1]
  const commands = Object.entries(scriptNames).flatMap(([kind, names]) => {
    const script = names.find((name) => isScript(scripts[name]))
    return script === undefined ? [] : [[kind, `${packageManager ?? 'npm'} run ${script}`] as const]
  })
  return {
    kind: 'node',
    ...(packageManager === undefined ? {} : { packageManager }),
    commands: Object.fromEntries(commands),
  }
}

/** A `package.json` that cannot be read declares nothing. */
function parsePackage(text: string): z.infer<typeof PackageFile> {
  try {
    return PackageFile.safeParse(JSON.parse(text.replace(/^\ufeff/, ''))).data ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** `pnpm@9.1.0` names pnpm. */
function managerOf(named: string | undefined): string | undefined {
  return /^(npm|pnpm|yarn|bun)(@|$)/.exec(named ?? '')?.[1]
}

/** False for the placeholder script that npm writes into every new project. */
function isScript(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !/echo .*no test specified/i.test(script)
}
