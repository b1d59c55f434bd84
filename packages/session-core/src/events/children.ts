import * as z from 'zod/mini'
import { ChildGrant, ChildOutcome, ChildPlace, CopiedTree, MergedFile } from '../words/child.ts'
import { Id, SessionId } from '../words/ids.ts'
import { StoredText } from '../words/stored-text.ts'
import { Totals } from '../words/usage.ts'
import { Verdict } from '../words/verdict.ts'
import { described, nonEmpty, positive } from '../words/schema.ts'
import { defineEvent } from './define.ts'

const childId = /* @__PURE__ */ described(SessionId, 'the child session')

export const childEvents = [
  /* @__PURE__ */ defineEvent(
    'child.assigned',
    'A call gives a task to a child session. Durable before that session exists.',
    () => ({
      childId,
      callId: described(Id, 'the call; the answer of the child is its result'),
      title: described(nonEmpty, 'the task in a few words'),
      task: described(StoredText, 'the task, as the child gets it'),
      agent: described(z.optional(nonEmpty), 'the kind of agent, by its name'),
      model: described(z.optional(nonEmpty), 'provider/id; absent means the model of the parent'),
      depth: described(positive, 'how many parents the child has'),
      place: described(
        ChildPlace,
        'copy: it works in a copy of the folder, and what it changes is taken over at its end',
      ),
      tree: described(z.optional(CopiedTree), 'the files that the copy begins with'),
      grant: described(ChildGrant, 'what it may do and use, out of what its parent has'),
    }),
  ),
  /* @__PURE__ */ defineEvent('child.opened', 'The child session exists. It gets its task only after this.', () => ({
    childId,
  })),
  /* @__PURE__ */ defineEvent('child.finished', 'The child session is done, for its parent.', () => ({
    childId,
    outcome: described(ChildOutcome, 'unknown: nobody can tell what it has done'),
    reason: described(z.optional(z.string()), 'why its turn ended: turn_complete, interrupted, …'),
    verdict: described(z.optional(Verdict), 'that of its last turn, by the checks that ran there'),
    usage: described(Totals, 'what it and its own children have used'),
    text: described(StoredText, 'its answer'),
    tree: described(z.optional(CopiedTree), 'the files that its copy ended with'),
  })),
  /* @__PURE__ */ defineEvent(
    'child.merged',
    'What a child session has changed in its copy was taken over into the workspace.',
    () => ({
      childId,
      files: described(z.array(MergedFile), 'every file that it has changed'),
    }),
  ),
] as const
