export {
  Dispatch,
  type DispatchOptions,
  type FleetSession,
  type FleetWorker,
  type ParkedSession,
  type Settlement,
  type Standing,
  type TakenSession,
} from './dispatch.ts'
