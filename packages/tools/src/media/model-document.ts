import { documentType, fileLimits } from '@loader/session-core'
import { type ForModel, told } from './model-image.ts'

const mostBytes = Math.floor(fileLimits.documentBase64Bytes / 4) * 3

const longestNode = 64 * 1024
const mostNodes = 10_000

export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(5, bytes.length)).toString('latin1') === '%PDF-'
}

/** A PDF file as every provider takes it that takes any. Its pages are told where they can be read without decoding. */
export function modelDocument(bytes: Uint8Array, name: string): ForModel {
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!pdf.subarray(-2048).includes('%%EOF')) return { kind: 'refused', why: 'it is cut off.' }
  if (pdf.includes('/Encrypt')) return { kind: 'refused', why: 'it is encrypted. Save it without a password.' }
  if (pdf.length > mostBytes) {
    const most = Math.floor(mostBytes / 1024 / 1024)
    return { kind: 'refused', why: `it has ${told(pdf)}, and models take at most ${most} MiB.` }
  }
  const pages = pagesOf(pdf)
  if (pages !== undefined && pages > fileLimits.documentPages) {
    return { kind: 'refused', why: `it has ${pages} pages, and models take at most ${fileLimits.documentPages}.` }
  }
  const note = pages === undefined ? told(pdf) : `${pages} ${pages === 1 ? 'page' : 'pages'}, ${told(pdf)}`
  const source = { kind: 'base64', data: pdf.toString('base64') } as const
  return { kind: 'part', part: { type: 'file', mediaType: documentType, name, source }, note }
}

/** The largest count in a tree of pages; undefined where the tree is compressed. */
function pagesOf(pdf: Buffer): number | undefined {
  const text = pdf.toString('latin1')
  const counts: number[] = []
  for (const { index } of text.matchAll(/\/Type\s{0,8}\/Pages\b/g)) {
    const begin = text.lastIndexOf('<<', index)
    const end = text.indexOf('>>', index)
    if (begin === -1 || end === -1 || end - begin > longestNode) continue
    const count = /\/Count\s{1,8}(\d{1,7})/.exec(text.slice(begin, end))?.[1]
    if (count !== undefined && counts.push(Number(count)) >= mostNodes) break
  }
  return counts.length === 0 ? undefined : Math.max(...counts)
}
