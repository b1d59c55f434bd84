import { createHash } from 'node:crypto'
import { dataElement, type PageData } from '../protocol.ts'
import { policyOfFile } from './guards/headers.ts'
import type { PageFiles } from './page-files.ts'

/** The page as one file with its data inside: it needs no server, asks for nothing, and runs nothing but itself. */
export function pageWithData({ document, script, style }: PageFiles, data: PageData, title: string): string {
  const policy = policyOfFile(hashOf(script), hashOf(style))
  const head = [
    // Before everything that it is about.
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
  ].join('\n')
  const body = [
    `<script type="application/json" id="${dataElement}">${inScript(JSON.stringify(data))}</script>`,
    `<script type="module">${script}</script>`,
  ].join('\n')
  return document
    .replace(/<script\b[^>]*><\/script>\s*/g, '')
    .replace(/<link\b[^>]*\bstylesheet\b[^>]*>\s*/g, '')
    .replace(/<title>[^<]*<\/title>\s*/, '')
    .replace('<meta charset="utf-8" />', '<meta charset="utf-8">')
    .replace('<meta charset="utf-8">', () => `<meta charset="utf-8">\n${head}`)
    .replace('</body>', () => `${body}\n</body>`)
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** JSON that no HTML parser takes for the end of its element, and that no editor shows in another order. */
function inScript(json: string): string {
  return json.replace(/[<>&\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
