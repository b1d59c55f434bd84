import type { Project } from './everyday.ts'

export const npm: Project = {
  kind: 'npm',
  needs: ['npm', 'node'],
  files: {
    'package.json': `{ "name": "p", "version": "1.0.0", "type": "module", "workspaces": ["packages/*"],
      "scripts": { "build": "node build.js", "test": "node --test", "lint": "lint src", "format": "node format.js", "clean": "rm -rf dist",
      "prebuild": "npm run clean", "start": "node server.js", "dev": "node --watch server.js" }, "bin": { "p": "./cli.js" } }`,
    'build.js': `import fs from 'node:fs'; fs.mkdirSync('dist', { recursive: true }); fs.copyFileSync('src/a.js', 'dist/a.js'); console.log('built')`,
    'format.js': `import fs from 'node:fs'; fs.writeFileSync('src/a.js', fs.readFileSync('src/a.js', 'utf8').trim() + '\\n')`,
    'server.js': `import http from 'node:http'; const s = http.createServer((q, r) => r.end('up')); s.listen(8124, () => console.log('listening'))`,
    'cli.js': '#!/usr/bin/env node\nconsole.log("cli")\n',
    'src/a.js': 'export const a = 1\n',
    'test/a.test.js': `import test from 'node:test'; import assert from 'node:assert'; import { a } from '../src/a.js'; test('a', () => assert.equal(a, 1))`,
    'packages/a/package.json': '{ "name": "a", "version": "1.0.0", "scripts": { "test": "echo tested a" } }',
    'packages/a/index.js': 'module.exports = 1\n',
    'node_modules/lint/package.json': '{ "name": "lint", "version": "1.0.0", "bin": { "lint": "bin.js" } }',
    'node_modules/lint/bin.js': '#!/usr/bin/env node\nconsole.log("linted", process.argv[2])\n',
  },
  setup:
    'mkdir -p node_modules/.bin && chmod +x node_modules/lint/bin.js cli.js && ln -s ../lint/bin.js node_modules/.bin/lint && ln -s ../packages/a node_modules/a',
  commands: [
    ['npm test', /pass 1/],
    ['npm run build && ls dist', /built/],
    ['npm run lint', /linted src/],
    'npm run format && npm run clean',
    ['npx lint src', /linted/],
    ['npx --no-install lint x && npm exec lint y', /linted/],
    ['cd packages/a && npm test', /tested a/],
    ['npm test -w a && npm run test --workspaces --if-present', /tested a/],
    ['npm pkg get name && npm pkg set description=x && npm ls --depth=0 || true', /"p"/],
    'npm version patch --no-git-tag-version',
    ['npm pack --dry-run 2>&1 | tail -1', /p-/],
    ['node --test test/', /pass/],
    ['node -e "console.log(process.version)" && node -p "1 + 1"', /2/],
    ['node --check src/a.js && node --input-type=module -e "import { a } from \'./src/a.js\'; console.log(a)"', /1/],
    ['NODE_ENV=test node build.js && FORCE_COLOR=0 npm run -s build', /built/],
    ['node server.js & until curl -s localhost:8124; do sleep 0.05; done; kill $!', /up/],
    ['timeout 1 npm run dev; test $? -eq 124 && echo ended', /ended/],
    ['npm run test 2>&1 | tee test.log | tail -3; grep -c "pass 1" test.log', /1/],
    ['npm run', /lint/],
    ['./cli.js && node cli.js', /cli/],
    ['echo changed >> node_modules/lint/bin.js; npx lint z; true', /linted|changed/],
    'npm config get registry && npm root && npm prefix',
  ],
}

export const pnpm: Project = {
  kind: 'pnpm',
  needs: ['pnpm', 'node'],
  files: {
    'package.json':
      '{ "name": "m", "version": "1.0.0", "private": true, "scripts": { "test": "pnpm -r test", "build": "pnpm -r build" } }',
    'pnpm-workspace.yaml': 'packages:\n  - packages/*\nverifyDepsBeforeRun: false\n',
    'packages/a/package.json':
      '{ "name": "a", "version": "1.0.0", "scripts": { "test": "node test.js", "build": "node -e 1" } }',
    'packages/a/test.js': 'console.log("a is tested")\n',
    'packages/b/package.json':
      '{ "name": "b", "version": "1.0.0", "dependencies": { "a": "workspace:*" }, "scripts": { "test": "node test.js" } }',
    'packages/b/test.js': 'require("a/package.json"); console.log("b is tested")\n',
  },
  setup: 'pnpm install --offline --silent',
  commands: [
    ['pnpm test', /b is tested/],
    ['pnpm run build', /build/],
    ['pnpm --filter a test', /a is tested/],
    ['pnpm -r --parallel run test', /a is tested/],
    ['pnpm -F "b..." test', /b is tested/],
    ['cd packages/b && pnpm test', /b is tested/],
    ['pnpm exec node -e "console.log(2)"', /2/],
    ['pnpm ls -r --depth 0', /a@/],
    'pnpm -r exec pwd',
    'pnpm store path; pnpm root',
    'pnpm pack --pack-destination /tmp -C packages/a || (cd packages/a && pnpm pack --pack-destination /tmp)',
  ],
}

export const python: Project = {
  kind: 'python',
  needs: ['python3'],
  files: {
    'pkg/__init__.py': '',
    'pkg/core.py': 'def add(a, b):\n    return a + b\n',
    'pkg/__main__.py': 'from .core import add\nprint(add(1, 2))\n',
    'tests/__init__.py': '',
    'tests/test_core.py':
      'import unittest\nfrom pkg.core import add\nclass T(unittest.TestCase):\n    def test_add(self): self.assertEqual(add(1, 2), 3)\n',
    'pyproject.toml':
      '[project]\nname = "pkg"\nversion = "0.1"\n[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n',
  },
  commands: [
    ['python3 -m unittest', /OK/],
    ['python3 -m unittest discover -s tests -t . -v', /test_add/],
    ['python3 -m pkg', /3/],
    ['python3 -c "import pkg.core; print(pkg.core.add(2, 2))"', /4/],
    'python3 -m compileall -q pkg && find . -name __pycache__ -exec rm -rf {} +',
    [
      "python3 - <<'END'\nimport json, pathlib\npathlib.Path('o.json').write_text(json.dumps({'a': 1}))\nEND\ncat o.json",
      /"a"/,
    ],
    ['python3 -m json.tool o.json', /1/],
    'python3 -m venv --without-pip .venv',
    ['.venv/bin/python -c "import sys; print(sys.prefix)"', /\.venv/],
    ['. .venv/bin/activate && python -m unittest && deactivate', /OK/],
    ['python3 -c "import tempfile; f = tempfile.NamedTemporaryFile(); print(f.name)"', /tmp/],
    [
      'python3 -c "from concurrent.futures import ProcessPoolExecutor as P\nif __name__ == \'__main__\': print(list(P(2).map(abs, [-1, -2])))"',
      /1, 2/,
    ],
    [
      "python3 -c \"import sqlite3; c = sqlite3.connect('x.db'); c.execute('create table if not exists t (a)'); print('made')\"",
      /made/,
    ],
    ['python3 -c "import asyncio, sys; asyncio.run(asyncio.sleep(0)); print(sys.version_info[0])"', /3/],
    ['python3 -m pip --version || true; python3 -m pydoc pkg.core | head -3; python3 -m site | head -1', /./],
    ['python3 -m timeit -n 1 "1 + 1" && python3 -m cProfile -s time -m pkg | head -3', /3/],
    ['python3 -m ast pkg/core.py | head -2 && python3 -m tokenize pkg/core.py | head -2', /Module/],
    ['PYTHONPATH=. python3 tests/test_core.py && python3 -W error -m unittest -q tests.test_core', /./],
    [
      'python3 -m http.server 8125 --bind 127.0.0.1 >/dev/null 2>&1 & until python3 -c "import urllib.request as u; print(u.urlopen(\'http://127.0.0.1:8125\').status)" 2>/dev/null; do sleep 0.05; done; kill $!',
      /200/,
    ],
  ],
}

export const make: Project = {
  kind: 'make and C',
  needs: ['make', 'gcc'],
  files: {
    Makefile:
      'CFLAGS = -Wall -Wextra\napp: main.o lib.o\n\t$(CC) $(CFLAGS) -o $@ $^\n%.o: %.c lib.h\n\t$(CC) $(CFLAGS) -c $<\ntest: app\n\t./app | grep -q 42 && echo passed\nclean:\n\trm -f *.o app lib.a lib.so\ninstall: app\n\tinstall -D app $(PREFIX)/bin/app\n.PHONY: test clean install\n',
    'main.c': '#include <stdio.h>\n#include "lib.h"\nint main(void) { printf("%d\\n", answer()); return 0; }\n',
    'lib.c': '#include "lib.h"\nint answer(void) { return 42; }\n',
    'lib.h': 'int answer(void);\n',
    configure:
      '#!/bin/sh\nset -e\necho "checking for cc"\n${CC:-cc} -x c -o conftest - <<E\nint main(void){return 0;}\nE\n./conftest && rm conftest && echo ok > config.status\n',
  },
  setup: 'chmod +x configure',
  commands: [
    ['make', /main\.c/],
    ['make test', /passed/],
    'make clean && make -j2',
    ['make -n clean', /rm/],
    ['./app', /42/],
    'gcc -c -O2 -o lib2.o lib.c && rm lib2.o',
    'ar rcs lib.a lib.o && nm lib.a && ranlib lib.a',
    'gcc -shared -fPIC -o lib.so lib.c && ldd lib.so && file lib.so || true',
    ['./configure && cat config.status', /ok/],
    ['make install PREFIX=$PWD/out && out/bin/app && rm -r out', /42/],
    ['echo "int main(){return 3;}" | gcc -x c -o /tmp/three - ; /tmp/three; echo $?', /3/],
    'gcc -E main.c | tail -3 && gcc -S lib.c && rm lib.s',
    ['gcc -g -o debug main.c lib.c && (gdb -batch -ex run ./debug 2>/dev/null || ./debug); rm debug', /42/],
    ['strace -c ./app 2>/dev/null || ./app', /42|calls/],
    ['make clean all 2>&1 || make clean', /rm/],
  ],
}

export const cargo: Project = {
  kind: 'cargo',
  needs: ['cargo', 'gcc'],
  files: {
    'Cargo.toml':
      '[workspace]\nmembers = ["."]\n[package]\nname = "c"\nversion = "0.1.0"\nedition = "2021"\n[profile.dev]\ndebug = 0\n',
    'src/main.rs': 'fn main() { println!("{}", c::answer()); }\n',
    'src/lib.rs': 'pub fn answer() -> i32 { 42 }\n#[test]\nfn is_answer() { assert_eq!(answer(), 42) }\n',
    'build.rs':
      'fn main() { println!("cargo:rerun-if-changed=build.rs"); std::fs::write(format!("{}/x", std::env::var("OUT_DIR").unwrap()), "x").unwrap(); }\n',
  },
  commands: [
    'cargo build',
    ['cargo run -q', /42/],
    ['cargo test --lib', /1 passed/],
    'cargo check && cargo metadata --format-version 1 --no-deps > /dev/null',
    ['cargo tree', /c v0/],
    ['cargo fmt --version && cargo fmt && cargo fmt --check || true', /rustfmt|./],
    ['cargo doc --no-deps -q && ls target/doc | head -1', /./],
    ['rustc --version && cargo --version', /rustc/],
    ['rustc -o /tmp/r src/lib.rs --crate-type lib --emit metadata && ls target', /debug/],
    'cargo clean && ! test -e target/debug',
  ],
}

export const go: Project = {
  kind: 'go',
  needs: ['go'],
  files: {
    'go.mod': 'module example.invalid/g\n\ngo 1.19\n',
    'main.go':
      'package main\n\nimport "fmt"\n\n//go:generate echo generated\n\nfunc answer() int { return 42 }\n\nfunc main() { fmt.Println(answer()) }\n',
    'main_test.go':
      'package main\n\nimport "testing"\n\nfunc TestAnswer(t *testing.T) {\n\tif answer() != 42 {\n\t\tt.Fatal()\n\t}\n}\n',
  },
  commands: [
    'go build ./...',
    ['go run .', /42/],
    ['go test ./...', /ok/],
    ['go test -run TestAnswer -v .', /PASS/],
    'go vet ./...',
    ['gofmt -l . && go fmt ./...', /^$|\w|no output/],
    ['go generate ./...', /generated/],
    ['go list ./... && go env GOPATH && go version', /example\.invalid/],
    'go mod tidy && go mod verify',
    'go build -o bin/g . && bin/g && rm -r bin',
    ['go doc . 2>&1 | head -2; go mod graph; go clean', /./],
  ],
}
