import { ancestors, folderOf } from '../imports/project-files.ts'
import { type CanaryRequest, type CanaryText, slashed } from './canary-request.ts'

const rustWays = {
  asserts: 'assert!(false)',
  equal: 'assert_eq!(1, 2)',
  not_equal: 'assert_ne!(1, 1)',
  panics: 'panic!("canary")',
  unwraps: 'None::<u8>.unwrap();',
}

/**
 * A test program of its own in `tests/`: cargo finds it there unless the manifest disables that. Behind the tests of a
 * file, which may be one of the product, it has the macros that hold there.
 */
export async function rustCanary({
  report,
  project,
  modules,
  instead,
  isAmong,
  mark,
}: CanaryRequest): Promise<CanaryText | string> {
  const manifests = new Set(project.paths.filter((it) => /(^|\/)Cargo\.toml$/.test(it)).map(folderOf))
  const [folder] = [...modules, ...report.testFiles].flatMap((path) => {
    const above = ancestors(folderOf(path)).find((it) => manifests.has(it))
    return above === undefined ? [] : [above]
  })
  if (folder === undefined) return 'no Cargo.toml above what has changed'
  const manifest = (await project.text(`${slashed(folder)}Cargo.toml`)) ?? ''
  if (!/^\[package\]/m.test(manifest)) return 'the nearest Cargo.toml has no package'
  if (/^\s*autotests\s*=\s*false/m.test(manifest)) return 'the manifest lists its tests one by one (autotests = false)'
  const tests = Object.entries(rustWays).map(([name, code]) => `#[test]\nfn ${mark}_${name}() {\n    ${code}\n}\n`)
  const result = `#[test]\nfn ${mark}_returns() -> Result<(), String> {\n    Err("canary".into())\n}\n`
  const ways = [...Object.keys(rustWays), 'returns'].map((it) => `${mark}_${it}`)
  if (isAmong === true && instead !== undefined) {
    const text = (await project.text(instead)) ?? ''
    const all = [...tests, result].join('\n')
    return { path: instead, text: `${text}\n#[cfg(test)]\nmod ${mark} {\n${all}}\n`, mark, ways }
  }
  return { path: `${slashed(folder)}tests/${mark}.rs`, text: [...tests, result].join('\n'), mark, ways }
}

const goWays = {
  errors: 't.Error("canary")',
  errorsf: 't.Errorf("%s", "canary")',
  fails: 't.Fail()',
  fails_now: 't.FailNow()',
  fatal: 't.Fatal("canary")',
}

/** Placed in the package of a changed file, so that its `init` functions and `TestMain` run first. */
export async function goCanary({ report, project, modules, mark }: CanaryRequest): Promise<CanaryText | string> {
  const files = [...modules, ...report.testFiles, ...project.paths].filter(
    (it) => it.endsWith('.go') && !it.endsWith('_test.go'),
  )
  for (const path of files) {
    const name = /^package (\w+)/m.exec((await project.text(path)) ?? '')?.[1]
    if (name === undefined) continue
    const own = `Test_${mark}`
    const tests = Object.entries(goWays).map(
      ([way, code]) => `\tt.Run("${mark}_${way}", func(t *testing.T) { ${code} })`,
    )
    const text = `package ${name}\n\nimport "testing"\n\nfunc ${own}(t *testing.T) {\n${tests.join('\n')}\n}\n`
    const ways = Object.keys(goWays).map((it) => `${own}/${mark}_${it}`)
    return { path: `${slashed(folderOf(path))}${mark}_test.go`, text, mark: own, ways }
  }
  return 'no file of Go says which package a test would belong to'
}
