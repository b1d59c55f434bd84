import type { Hono } from 'hono'
import { type ActName, actNames } from '../acts.ts'
import { paths } from '../protocol.ts'
import { readSmall } from './guards/small-body.ts'
import { refused } from './refusals.ts'
import type { Acting } from './ports/acting.ts'
import { ActRefused } from './acting/act-refused.ts'
import { bodyOf } from './acting/bodies.ts'
import { Requests } from './acting/requests.ts'

/** A text of its greatest length, in any letters, and what stands around it. */
const mostInBody = 512 * 1024

const conflict = 409

/** One POST for each act. Who may ask for them is decided before: see `barred`. */
export function actRoutes<Env extends object>(app: Hono<Env>, acting: Acting): void {
  const requests = new Requests()
  for (const name of actNames) {
    app.post(paths.act(name), async (c) => {
      if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
        return refused(415, 'invalid', 'An act is asked for in JSON.')
      const read = await readSmall(c.req.raw, mostInBody)
      if (read === 'too large') return refused(413, 'too_large', 'This is too long. Put it into a file, and name that.')
      const body = read === undefined ? undefined : bodyOf(name, read.json)
      if (body === undefined) return refused(400, 'invalid', 'What is asked for cannot be understood.')
      try {
        return answered(await requests.once(body.request, [name, body], () => carriedOut(acting, name, body)))
      } catch (error) {
        if (!(error instanceof ActRefused)) throw error
        const status = error.refusal.code === 'not_found' ? 404 : conflict
        return Response.json({ error: error.refusal }, { status })
      }
    })
  }
}

function carriedOut<Name extends ActName>(
  acting: Acting,
  name: Name,
  body: Parameters<Acting['act'][Name]>[0],
): Promise<object> {
  const act: (body: Parameters<Acting['act'][Name]>[0]) => Promise<object> = acting.act[name]
  return act(body)
}

/** What is stored for another process, which has not taken it yet, is accepted and not done. */
function answered(answer: object): Response {
  const isOnItsWay = 'state' in answer && answer.state === 'delivered'
  return Response.json(answer, { status: isOnItsWay ? 202 : 200 })
}
