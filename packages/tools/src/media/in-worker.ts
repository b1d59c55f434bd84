import type { Signal } from '@loader/session-core'
import { Worker } from 'node:worker_threads'

export type Worked =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'cancelled' }

/**
 * Runs code over bytes of strangers in a thread of its own: it can be ended, what it takes of memory goes with it, and
 * the program goes on meanwhile. The code is the body of an async function of `data` and `load`, which imports a file.
 */
export async function inWorker(
  body: string,
  data: object,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: Signal | undefined },
): Promise<Worked> {
  if (signal?.aborted) return { kind: 'cancelled' }
  // No variables of the program: they may hold keys.
  const options = { eval: true, workerData: data, env: {}, execArgv: [], stdout: true, stderr: true }
  const worker = new Worker(frame(body), options)
  let timer: NodeJS.Timeout | undefined
  let stop = (): void => undefined
  try {
    return await new Promise<Worked>((resolve) => {
      stop = () => resolve({ kind: 'cancelled' })
      signal?.addEventListener('abort', stop)
      timer = setTimeout(() => resolve({ kind: 'timed_out' }), timeoutMs)
      worker.on('message', resolve)
      worker.on('error', (error: unknown) => resolve({ kind: 'failed', why: String(error) }))
      worker.on('exit', () => resolve({ kind: 'failed', why: 'its thread ended' }))
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

function frame(body: string): string {
  return `const { parentPort, workerData } = require('node:worker_threads')
const { pathToFileURL } = require('node:url')
const load = (path) => import(pathToFileURL(path).href)
const work = async (data, load) => {${body}}
work(workerData, load).then(
  (value) => parentPort.postMessage({ kind: 'done', value }),
  (error) => parentPort.postMessage({ kind: 'failed', why: String(error?.message ?? error).slice(0, 300) }),
)`
}
