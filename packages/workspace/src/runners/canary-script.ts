import { posix } from 'node:path'
import { folderOf } from '../imports/project-files.ts'

/** What a script of a check that has no runner is replaced with. */
export interface ScriptCanaryRequest {
  /** The script, which loads the modules. */
  readonly path: string
  /** Changed files of the product. Loaded first, so that whatever they do to the process happens before it fails. */
  readonly modules: readonly string[]
  /** Random letters and digits that occur nowhere in the project. */
  readonly mark: string
}

/**
 * A program that fails in every way in which a script can: each in a process of its own, which has loaded the modules. It
 * ends well if one of them does: then a module decides how the check ends. Undefined for a language that is not known here.
 */
export function scriptCanary({ path, modules, mark }: ScriptCanaryRequest): string | undefined {
  if (/\.[cm]?[jt]s$/.test(path)) return inJavaScript(modules.filter(isJavaScript).map(from(path)), mark)
  return path.endsWith('.py') ? inPython(modules.filter(isPython), path, mark) : undefined
}

function isJavaScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith('.d.ts')
}

function isPython(path: string): boolean {
  return path.endsWith('.py')
}

function from(path: string): (module: string) => string {
  return (module) => `./${posix.relative(folderOf(path), module)}`
}

/** It is valid as an ES module, as CommonJS and as TypeScript. */
function inJavaScript(modules: readonly string[], mark: string): string {
  const loaded = modules.map((it) => `import(${JSON.stringify(it)})`).join(', ')
  return `const ways = {
  throws: () => setImmediate(() => { throw new Error('canary') }),
  rejects: () => void Promise.reject(new Error('canary')),
  code: () => { process.exitCode = 1 },
  exits: () => process.exit(1),
}
const way = process.env['${mark}']
if (way === undefined) {
  import('node:child_process').then(({ spawnSync }) => {
    const words = [...process.execArgv, ...process.argv.slice(1)]
    const fails = (name) => {
      const env = { ...process.env, ['${mark}']: name }
      return spawnSync(process.execPath, words, { env, stdio: 'ignore', timeout: 20000 }).status !== 0
    }
    process.exit(Object.keys(ways).every(fails) ? 1 : 0)
  })
} else {
  Promise.allSettled([${loaded}]).then(() => ways[way]())
}
`
}

function inPython(modules: readonly string[], path: string, mark: string): string {
  const root = posix.relative(folderOf(path), '') || '.'
  return `import importlib, os, subprocess, sys

WAYS = ("raises", "exits", "asserts")
way = os.environ.get("${mark}")

if way is None:
    def fails(name):
        words = [sys.executable, *sys.argv]
        quiet = subprocess.DEVNULL
        try:
            ended = subprocess.run(words, env={**os.environ, "${mark}": name}, stdin=quiet, stdout=quiet, stderr=quiet, timeout=20)
        except subprocess.TimeoutExpired:
            return True
        return ended.returncode != 0

    os._exit(1 if all([fails(name) for name in WAYS]) else 0)

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(root)}))
for module in ${JSON.stringify(modules)}:
    parts = module[:-3].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    for skipped in range(len(parts)):
        sys.path.insert(0, os.path.join(root, *parts[:skipped]))
        try:
            importlib.import_module(".".join(parts[skipped:]))
            break
        except BaseException:
            sys.path.pop(0)

if way == "raises":
    raise RuntimeError("canary")
if way == "exits":
    sys.exit(1)
assert way is None
`
}
