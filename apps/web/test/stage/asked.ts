import { request } from 'node:http'
import { keyHeader, paths } from '../../src/protocol.ts'
import type { Served } from './served.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

export interface Question {
  readonly method?: string
  /** These and no others; `Host` is added where it is absent. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One request, with exactly these headers: what a browser would not send, others do. */
export function asked(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: Question = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const url = new URL(origin)
    const sent = request({ host: url.hostname, port: url.port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        })
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** What a browser that has logged in sends along. */
export async function loggedIn({ origin, token }: Pick<Served, 'origin' | 'token'>): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', origin }
  const answer = await asked(origin, paths.login, { method: 'POST', headers, body: JSON.stringify({ token }) })
  if (answer.status !== 200) throw new Error(`Login ended with ${answer.status}: ${answer.text}`)
  const [cookie = ''] = (answer.headers['set-cookie'] ?? []) as readonly string[]
  const { key } = JSON.parse(answer.text) as { key: string }
  return { cookie: cookie.split(';')[0] ?? '', [keyHeader]: key }
}
