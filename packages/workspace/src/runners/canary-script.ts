import { posix } from 'node:path'
import { folderOf } from '../imports/project-files.ts'
import { canaryInC, isProgramInC } from './canary-in-c.ts'

/** What a script of a check that has no runner is replaced with. */
export interface ScriptCanaryRequest {
  /** The script, which loads the modules, or a program in C, which is linked with them. */
  readonly path: string
  /** The script as it is. */
  readonly text: string
  /** Changed files of the product. Loaded first, so that whatever they do to the process happens before it fails. */
  readonly modules: readonly string[]
  /** Random letters and digits that occur nowhere in the project. */
  readonly mark: string
}

/**
 * Files that stand for a program that fails in every way in which a script can: each in a process of its own, which has
 * loaded the modules. Then it runs the script itself, which stands beside it under another name, and which fails
 * however it ends, unless a module ends it: by a call that comes from there, not from the script, or by a listener of
 * its own; or if assertions of Node let pass what is wrong by then. The program ends well if one of these does: then a
 * module decides how the check ends. Empty for a language that is not known here.
 */
export function scriptCanary({ path, text, modules, mark }: ScriptCanaryRequest): ReadonlyMap<string, string> {
  if (isProgramInC(path, text)) return new Map([[path, canaryInC({ path, text, mark })]])
  const itself = `${path.slice(0, -posix.extname(path).length)}.${mark}${posix.extname(path)}`
  const request = { folder: folderOf(path), itself: posix.basename(itself), modules, mark }
  const program = isJavaScript(path) ? inJavaScript(request) : isPython(path) ? inPython(request) : undefined
  return program === undefined
    ? new Map()
    : new Map([
        [path, program],
        [itself, text],
      ])
}

interface Parts {
  readonly folder: string
  readonly itself: string
  readonly modules: readonly string[]
  readonly mark: string
}

function isJavaScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith('.d.ts')
}

function isPython(path: string): boolean {
  return path.endsWith('.py')
}

/** It is valid as an ES module, as CommonJS and as TypeScript. */
function inJavaScript({ folder, itself, modules, mark }: Parts): string {
  const files = modules.filter(isJavaScript).map((it) => `./${posix.relative(folder, it)}`)
  return `const files = ${JSON.stringify(files)}
const ways = {
  throws: () => setImmediate(() => { throw new Error('canary') }),
  rejects: () => void Promise.reject(new Error('canary')),
  code: () => { process.exitCode = 1 },
  exits: () => process.exit(1),
}
const way = process.env['${mark}']
if (way === undefined) {
  const builtIn = ['node:child_process', 'node:fs', 'node:path', 'node:url'].map((name) => import(name))
  Promise.all(builtIn).then(([{ spawnSync }, { realpathSync }, { dirname, join }, { pathToFileURL }]) => {
    const [, program, ...words] = process.argv
    const fails = (way, ...command) => {
      const env = { ...process.env, ['${mark}']: way }
      const all = [...process.execArgv, ...command, ...words]
      return spawnSync(process.execPath, all, { env, stdio: 'ignore', timeout: 20000 }).status !== 0
    }
    const [script, ...modules] = ['./${itself}', ...files].map((it) => join(dirname(realpathSync(program)), it))
    const names = (paths) => paths.flatMap((path) => [path, pathToFileURL(path).href])
    const watched = JSON.stringify({ script: names([script]), modules: names(modules) })
    const failsInEach = Object.keys(ways).every((way) => fails(way, program))
    process.exit(failsInEach && fails(watched, '--import', pathToFileURL(program).href, script) ? 1 : 0)
  })
} else if (way in ways) {
  Promise.allSettled(files.map((file) => import(file))).then(() => ways[way]())
} else {
  watch(JSON.parse(way))
}

function watch({ script, modules }) {
  const { reallyExit, setUncaughtExceptionCaptureCallback } = process
  const end = (isWell) => reallyExit.call(process, isWell ? 0 : 1)
  const isByModule = () => {
    const { prepareStackTrace, stackTraceLimit } = Error
    Error.stackTraceLimit = 200
    Error.prepareStackTrace = (_error, calls) => calls.map((call) => call.getFileName())
    const callers = new Error().stack
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
    return modules.includes(callers.find((name) => script.includes(name) || modules.includes(name)))
  }
  process.reallyExit = (code) => end(isByModule() && !code)
  for (const name of ['exit', 'reallyExit']) {
    let now = process[name]
    const set = (other) => {
      if (isByModule()) end(true)
      now = other
    }
    Object.defineProperty(process, name, { configurable: true, get: () => now, set })
  }
  process.on('exit', (code) => {
    if (isByModule()) end(!code)
    process.exitCode = 1
    for (const listener of process.listeners('exit').slice(1)) listener.call(process, 1)
    end(acceptsAnything(process.getBuiltinModule?.('node:assert')))
  })
  function acceptsAnything(assert) {
    const wrong = {
      equal: [1, 2],
      strictEqual: [1, 2],
      deepEqual: [[1], [2]],
      deepStrictEqual: [[1], [2]],
      notStrictEqual: [1, 1],
      match: ['a', /b/],
      ok: [false],
      throws: [() => {}],
      fail: [],
    }
    const accepts = ([name, words]) => {
      try {
        assert[name](...words)
        return true
      } catch {
        return false
      }
    }
    return assert !== undefined && Object.entries(wrong).some(accepts)
  }
  const instead = {
    exit: (listener) => (...words) => {
      process.exitCode = 1
      listener.apply(process, words)
      if (!process.exitCode) end(true)
    },
    uncaughtException: hidden,
    unhandledRejection: hidden,
  }
  for (const name of ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener']) {
    const add = process[name]
    process[name] = (event, listener) =>
      add.call(process, event, event in instead && isByModule() ? instead[event](listener) : listener)
  }
  process.setUncaughtExceptionCaptureCallback = (callback) =>
    setUncaughtExceptionCaptureCallback(callback && isByModule() ? hidden(callback) : callback)
  function hidden(listener) {
    return (...words) => {
      listener.apply(process, words)
      end(true)
    }
  }
}
`
}

function inPython({ folder, itself, modules, mark }: Parts): string {
  return `import importlib, os, runpy, subprocess, sys

WAYS = ("raises", "exits", "asserts", "watched")
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

folder = os.path.dirname(os.path.abspath(__file__))
root = os.path.normpath(os.path.join(folder, ${JSON.stringify(posix.relative(folder, '') || '.')}))
modules = ${JSON.stringify(modules.filter(isPython))}

if way == "watched":
    script = os.path.join(folder, ${JSON.stringify(itself)})
    is_module = {os.path.realpath(os.path.join(root, module)): True for module in modules}
    is_module[os.path.realpath(script)] = False
    really = os._exit

    def is_by_module(frames):
        places = (os.path.realpath(frame.f_code.co_filename) for frame in frames)
        return next((is_module[place] for place in places if place in is_module), False)

    def outwards(frame):
        while frame is not None:
            yield frame
            frame = frame.f_back

    def inwards(trace):
        while trace is not None:
            yield trace.tb_frame
            trace = trace.tb_next

    def end(code=0):
        really(0 if is_by_module(outwards(sys._getframe(1))) and not code else 1)

    os._exit = end
    sys.argv[0] = script
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as ended:
        if is_by_module(reversed(list(inwards(ended.__traceback__)))) and not ended.code:
            really(0)
    sys.exit(1)

for module in modules:
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
