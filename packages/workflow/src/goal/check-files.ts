import type { CheckKind } from './check-reading.ts'

/** What a file has to do with checks. */
export interface CheckFile {
  /** The kinds of checks that it can make pass or fail; `any` stands for all of them. */
  readonly decides: readonly CheckKind[] | 'any'
  /** Whether a new one changes what is there already, for everything below its folder. */
  readonly whenAdded: 'no effect' | 'takes effect'
}

/** A test, a fixture or a snapshot: a new one adds to what is checked. */
const test: CheckFile = { decides: ['test', 'runtime'], whenAdded: 'no effect' }
const script: CheckFile = { decides: 'any', whenAdded: 'no effect' }
/** What runners read before they begin: a new one rules over the tests that are there. */
const testConfig: CheckFile = { decides: ['test', 'runtime'], whenAdded: 'takes effect' }
const lintConfig: CheckFile = { decides: ['lint'], whenAdded: 'takes effect' }
/** Builders that can be told to overlook errors. */
const buildConfig: CheckFile = { decides: ['build', 'typecheck', 'lint'], whenAdded: 'takes effect' }
const typeConfig: CheckFile = { decides: ['typecheck', 'build', 'test', 'runtime'], whenAdded: 'takes effect' }
const project: CheckFile = { decides: 'any', whenAdded: 'takes effect' }
/** Checks that run elsewhere: weakening them is altering a check, but none of ours reads them. */
const elsewhere: CheckFile = { decides: 'any', whenAdded: 'no effect' }

/** The first that fits says what a file is. Paths are relative to the project, with forward slashes, in lower case. */
const patterns: readonly (readonly [RegExp, CheckFile])[] = [
  [/(?:^|\/)(?:node_modules|site-packages|\.venv|venv|vendor\/bin)\//, project],
  [/(?:^|\/)conftest\.py$/, testConfig],
  [/(?:^|\/)__mocks__\//, testConfig],
  // A module of the same name in the project comes before the real one.
  [
    /(?:^|\/)(?:_?pytest|unittest|pluggy|iniconfig|mypy|pyright|flake8|pylint|ruff|tox|nox|sitecustomize|usercustomize)(?:\.(?:[\w-]+\.)?(?:py|pyc|so|pyd)|\/__init__\.py)$/,
    project,
  ],
  // Plug-ins of a runner announce themselves in there.
  [/(?:^|\/)[^/]+\.(?:egg|dist)-info\//, project],
  [/\.pth$/, project],
  [/(?:^|\/)(?:\.?pytest\.(?:ini|toml)|tox\.ini|noxfile\.py|\.coveragerc|nextest\.toml)$/, testConfig],
  [
    /(?:^|\/)\.?(?:vitest|jest|ava|karma|playwright|cypress|wdio|nyc|protractor|nightwatch|codecept|web-test-runner|mocha|jasmine|wallaby)(?:[.-](?:ct|conf|config|setup|global|preset|env|workspace|transform|resolver|environment|reporter|runner|sequencer)[\w.-]*|\.json|\.opts)$/,
    testConfig,
  ],
  [
    /(?:^|\/)(?:\.env\.test[\w.]*|unittest\.cfg|nose2\.cfg|\.runsettings|[\w.-]+\.runsettings|dart_test\.yaml)$/,
    testConfig,
  ],
  [/(?:^|\/)(?:next|nuxt|astro|svelte|remix|gatsby)[.-]config\.\w+$/, buildConfig],
  [/(?:^|\/)(?:vite|babel|webpack|rollup|metro|swc)\.config\.\w+$/, typeConfig],
  [/(?:^|\/)\.(?:mocharc|babelrc|swcrc|nycrc|c8rc|taprc|rspec|jasmine|simplecov)(?:\.\w+)?$/, testConfig],
  [/(?:^|\/)(?:phpunit(?:\.dist)?\.xml(?:\.dist)?|testng\.xml)$/, testConfig],
  [/(?:^|\/)(?:tsconfig|jsconfig)(?:\.[\w-]+)*\.json$/, typeConfig],
  [
    /(?:^|\/)(?:\.?mypy\.ini|pyrightconfig\.json|\.pyre_configuration)$/,
    { decides: ['typecheck'], whenAdded: 'takes effect' },
  ],
  [
    /(?:^|\/)(?:\.eslintrc|eslint\.config|\.eslintignore|\.oxlintrc|\.stylelintrc|stylelint\.config)(?:\.\w+)?$/,
    lintConfig,
  ],
  [
    /(?:^|\/)(?:\.prettierrc|prettier\.config|\.prettierignore|biome|\.?ruff|clippy|\.?rustfmt)(?:\.(?:[cm]?js|toml|jsonc?|ya?ml))?$/,
    lintConfig,
  ],
  [
    /(?:^|\/)(?:\.flake8|\.?pylintrc|\.rubocop(?:_todo)?\.yml|\.golangci\.\w+|\.shellcheckrc|oxlint\.config\.\w+|tslint\.json|\.jshintrc|phpstan\.neon(?:\.dist)?|revive\.toml|staticcheck\.conf|\.clang-tidy|\.swiftlint\.yml|detekt\.yml|checkstyle\.xml|\.?credo\.exs|analysis_options\.yaml)$/,
    lintConfig,
  ],
  [
    /(?:^|\/)(?:package\.json|(?:gnu)?makefile|[\w.-]+\.mk|\.?justfile|taskfile\.ya?ml|rakefile|cmakelists\.txt)$/,
    project,
  ],
  [
    /(?:^|\/)(?:pyproject\.toml|setup\.cfg|cargo\.toml|\.cargo\/config(?:\.toml)?|rust-toolchain(?:\.toml)?|go\.work)$/,
    project,
  ],
  [
    /(?:^|\/)(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|[\w.-]+\.(?:cs|fs|vb)proj|directory\.build\.\w+)$/,
    project,
  ],
  [
    /(?:^|\/)(?:deno\.jsonc?|bunfig\.toml|turbo\.json|nx\.json|lerna\.json|composer\.json|node\.config\.json|mix\.exs)$/,
    project,
  ],
  [
    /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|\.envrc|\.tool-versions|mise\.toml|\.mise\.toml)$/,
    project,
  ],
  // Builders and their settings, and what comes along with a project to start them.
  [/(?:^|\/)(?:gulpfile|gruntfile|jakefile|package-scripts|magefile|dodo)\.(?:[cm]?[jt]s|go|py)$/, project],
  [
    /^(?:angular|workspace|rush|global|npm-shrinkwrap)\.json$|^(?:(?:apps|libs|packages|projects)\/.+\/)?project\.json$|(?:^|\/)moon\.ya?ml$|(?:^|\/)nuget\.config$/,
    project,
  ],
  [
    /(?:^|\/)(?:\.bazelrc|(?:build|module|workspace)\.bazel|meson\.build|sconstruct|cmake(?:user)?presets\.json|hatch\.toml|pixi\.toml|uv\.toml|pipfile|build\.sbt|build\.zig|build\.rs|build\.xml|package\.swift|rebar\.config|[\w-]+\.cabal|stack\.yaml|deps\.edn|project\.clj|go\.mod)$/,
    project,
  ],
  [/(?:^|\/)(?:gradlew|mvnw)(?:\.bat|\.cmd)?$|(?:^|\/)(?:gradle\/wrapper|\.mvn|buildsrc)\//, project],
  [/(?:^|\/)\.yarn\/(?:releases|plugins|patches)\/|(?:^|\/)\.pnp\.[\w.]+$/, project],
  [/(?:^|\/)patches\/[^/]+\.patch$/, project],
  // Packages that come along with a project: those that tests are written with.
  [/(?:^|\/)vendor\/.*(?:test|assert|gomega|ginkgo|go-cmp|mock|phpunit)/, script],
  [/(?:^|\/)\.github\/(?:workflows|actions)\//, elsewhere],
  [
    /(?:^|\/)(?:\.gitlab-ci\.yml|\.circleci\/|\.travis\.yml|jenkinsfile$|azure-pipelines\.yml|\.ci\/|\.buildkite\/)/,
    elsewhere,
  ],
  [/(?:^|\/)(?:\.husky\/|\.pre-commit-config\.yaml$|lefthook\.yml$|codecov\.ya?ml$)/, elsewhere],
  [/(?:^|\/)(?:__tests__|__snapshots__|__fixtures__|tests?|e2e|testdata|cypress|playwright|step_definitions)\//, test],
  // What is to be built is written down in such folders too.
  [/(?:^|\/)specs?\/(?!.*\.mdx?$)/, test],
  [/(?:^|\/)features\/steps\/|(?:^|\/)t\/[^/]+\.t$/, test],
  [/(?:^|\/)[^/]+[._-](?:test|tests|test-d|spec|specs|e2e|cy)\.\w+$/, test],
  [/(?:^|\/)test_[^/]+\.\w+$/, test],
  [/(?:^|\/)(?:tests?|specs?)\.\w+$/, test],
  [/\.(?:snap|bats|feature)$/, test],
  // Programs that a project calls to check itself.
  [
    /^(?:(?:bin|tools?)\/)?(?:[\w-]+[-_.])?(?:tests?|checks?|verify|validate|ci|lint|run-?all|harness|smoke|selftest|acceptance)(?:[-_.][\w.-]*)?\.(?:sh|bash|[cm]?[jt]s|py|rb|pl)$/,
    script,
  ],
  [/^(?:(?:bin|tools?)\/(?:tests?|check|verify|ci|lint)$|(?:scripts?|ci|hack)\/)/, script],
  [/(?:^|\/)(?:setup[-_.]?tests?|tests?[-_.]?setup)\.\w+$/, test],
]
/** Those that tell by their capitals. */
const javaLike =
  /(?:^|\/)[^/]*(?:Tests?|TestCase|Spec|IT)\.(?:java|kt|kts|scala|groovy|cs|fs|swift|php)$|[a-z0-9](?:Test|Spec)\.[cm]?[jt]sx?$/

/** What a file has to do with checks, or undefined when it is an ordinary file. */
export function checkFile(path: string): CheckFile | undefined {
  const relative = path.replaceAll('\\', '/').replace(/^\.\//, '')
  if (javaLike.test(relative)) return test
  if (/(?:^|\/)(?:BUILD|WORKSPACE)$/.test(relative)) return project
  return patterns.find(([pattern]) => pattern.test(relative.toLowerCase()))?.[1]
}

/** Folders that hold settings, plug-ins or stand-ins for what lies beside them. */
const settled =
  /(?:^|\/)(?:__mocks__|patches|gradle|buildsrc|[^/]+\.(?:egg|dist)-info|(?:\.?src\/|lib\/)?(?:_?pytest|unittest|pluggy)|\.[\w-]+)\/.*$/i

/** The folder that a file rules over, with a slash at its end unless it is the whole project. */
export function ruledFolder(path: string): string {
  const outer = path.replace(settled, '')
  if (outer !== path) return outer === '' ? '' : `${outer}/`
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Whether a file is, or steers, a check: tests and what belongs to them, their settings, scripts of the project, CI. */
export function isCheckFile(path: string): boolean {
  return checkFile(path) !== undefined
}
