import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** Tells the build of the command which packages are in the page, whose licenses have to go with it. */
const packagesOfPage: Plugin = {
  name: 'packages-of-page',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
    const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [])
    const source = JSON.stringify([...new Set(folders.map((folder) => resolve(folder)))])
    this.emitFile({ type: 'asset', fileName: 'packages.json', source })
  },
}

/** What the page is built without: its server has checked what it sends, and an export what is in it. */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('/session-core/src/state/saved-state-fields.ts')) return null
    return 'export const wrongFieldOf = () => undefined'
  },
}

/**
 * `pnpm --dir apps/web dev` serves the page as it is being changed, in front of a `loader web` that runs beside it:
 * LOADER_WEB=http://127.0.0.1:4711. Styles go in as a file there too, so that what breaks under the rules of the page
 * breaks at once.
 */
const server = process.env['LOADER_WEB'] ?? 'http://127.0.0.1:4711'

// One script, one style: an export is the page as one file.
export default defineConfig({
  base: './',
  plugins: [packagesOfPage, withoutSchemas],
  // Made of the sources of the packages, as the command is.
  resolve: { conditions: ['@loader/source', 'module', 'browser'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist/page',
    target: 'es2022',
    // The script needs methods of arrays that came with these, so no style has to be there for older ones.
    cssTarget: ['chrome111', 'firefox115', 'safari16.4'],
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1024 * 1024,
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /[\\/]node_modules[\\/]zod[\\/]/, sideEffects: false }] },
      output: {
        codeSplitting: false,
        entryFileNames: 'page.js',
        assetFileNames: 'page[extname]',
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: server, changeOrigin: true, headers: { origin: server, 'sec-fetch-site': 'same-origin' } },
    },
  },
})
