import type { Signal } from '@loader/session-core'
import * as z from 'zod'
import { inWorker } from './in-worker.ts'
import { optionalFile } from './optional-module.ts'

const pdfReader = 'unpdf'

export type PdfText =
  | { readonly kind: 'text'; readonly text: string; readonly pages: number }
  | { readonly kind: 'refused'; readonly why: string }

const timeoutMs = 60_000
const mostCharacters = 2 * 1024 * 1024

const Answer = z.object({ pages: z.int(), texts: z.array(z.string()) })

/** The text of a PDF file, page by page. Scanned pages have none. */
export async function pdfText(bytes: Uint8Array, signal: Signal | undefined): Promise<PdfText> {
  const path = optionalFile(pdfReader, 'pdfjs.mjs')
  if (path === undefined) return { kind: 'refused', why: `its text can be read when ${pdfReader} is installed.` }
  const worked = await inWorker(body, { bytes, path, most: mostCharacters }, { timeoutMs, signal })
  if (worked.kind === 'timed_out')
    return { kind: 'refused', why: `it takes longer than ${timeoutMs / 1000} s to read.` }
  if (worked.kind === 'cancelled') return { kind: 'refused', why: 'it was cancelled.' }
  if (worked.kind === 'failed') return { kind: 'refused', why: `it cannot be read as PDF: ${worked.why}.` }
  const { pages, texts } = Answer.parse(worked.value)
  if (texts.every((text) => text.trim() === '')) {
    return { kind: 'refused', why: `its ${pages} pages hold pictures and no text.` }
  }
  const text = texts.map((page, index) => `--- page ${index + 1} of ${pages} ---\n${page.trimEnd()}\n`).join('')
  return { kind: 'text', text, pages }
}

/** Nothing of the file is run, and nothing is fetched for it. */
const body = `
const { getDocument } = await load(data.path)
const quiet = { isEvalSupported: false, useSystemFonts: true, verbosity: 0, disableAutoFetch: true, stopAtErrors: false }
const pdf = await getDocument({ data: data.bytes, ...quiet }).promise
const texts = []
let length = 0
for (let number = 1; number <= pdf.numPages && length < data.most; number += 1) {
  const { items } = await (await pdf.getPage(number)).getTextContent()
  const text = items.map(({ str, hasEOL }) => (str ?? '') + (hasEOL ? '\\n' : '')).join('')
  texts.push(text)
  length += text.length
}
return { pages: pdf.numPages, texts }
`
