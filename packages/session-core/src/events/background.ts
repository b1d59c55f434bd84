import * as z from 'zod/mini'
import { BackgroundEnd, ListeningPort } from '../words/background.ts'
import { Id } from '../words/ids.ts'
import { Reach } from '../words/policy.ts'
import { Timestamp } from '../words/time.ts'
import { count, described, nonEmpty, positive } from '../words/schema.ts'
import { defineEvent } from './define.ts'

const id = /* @__PURE__ */ described(nonEmpty, 'what the command is called in this session: bg1, bg2, …')

export const backgroundEvents = [
  /* @__PURE__ */ defineEvent('background.started', 'A command goes on in the background.', () => ({
    id,
    callId: described(z.optional(Id), 'the call that started it'),
    command: described(z.string(), 'the shell command'),
    cwd: described(z.string(), 'the folder that it began in'),
    reach: described(Reach, 'what it may touch'),
    startedAt: described(Timestamp, 'when it was started'),
    process: described(
      z.optional(nonEmpty),
      'its first process: pid, start time, namespace of processes and boot of the machine',
    ),
    keeps: described(z.optional(z.literal(true)), 'it goes on when the session is closed, until it is stopped'),
    found: described(z.optional(z.literal(true)), 'it was started by an earlier process, which did not record it'),
  })),
  /* @__PURE__ */ defineEvent(
    'background.listened',
    'The ports on which a background command listens changed.',
    () => ({
      id,
      ports: described(z.array(ListeningPort), 'all of them, as they are now'),
    }),
  ),
  /* @__PURE__ */ defineEvent('background.ended', 'A background command does not go on any more.', () => ({
    id,
    how: described(
      BackgroundEnd,
      'closed: it ended with the session; gone: it ended when no process of loader could see how',
    ),
    exitCode: described(z.optional(z.int()), 'of its shell'),
    bytes: described(z.optional(count), 'how much it printed'),
    note: described(z.optional(z.string()), 'what the model is told, where no result of a call tells it'),
  })),
  /* @__PURE__ */ defineEvent(
    'port.published',
    'A port of a background command can be reached on the loopback of this machine.',
    () => ({
      id,
      port: described(positive, 'the port of the command'),
      hostPort: described(positive, 'the port of the machine, on 127.0.0.1'),
      callId: described(z.optional(Id), 'the call that published it'),
    }),
  ),
] as const
