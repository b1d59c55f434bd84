export type { Request } from '../acts.ts'
export type {
  ActAnswers,
  ActBodies,
  ActName,
  FleetAnswer,
  GivenAnswer,
  PermitChoice,
  Standing,
  StandingQuestion,
  WaitsFor,
} from '../protocol.ts'
export { linkToSession } from './guards/link-to-session.ts'
export { pageWithData } from './page-with-data.ts'
export { readPage } from './page-files.ts'
export { ActRefused } from './acting/act-refused.ts'
export type { Acting } from './ports/acting.ts'
export type { ServedSession, ServedSessions } from './ports/served-sessions.ts'
export { serveWeb, type WebOptions, type WebServer } from './serve-web.ts'
