import type { Move } from '@loader/workflow'
import { askModel } from './perform/ask-model.ts'
import { beginVerification } from './perform/begin-verification.ts'
import { askUser } from './perform/ask-user.ts'
import { compact } from './perform/compact.ts'
import { decide } from './perform/decide.ts'
import { examineCall } from './perform/examine-call.ts'
import { finish } from './perform/finish.ts'
import { observe } from './perform/observe.ts'
import { refuseCall } from './perform/refuse-call.ts'
import { runCalls } from './perform/run-calls.ts'
import { runCheck } from './perform/run-check.ts'
import { runHook } from './perform/run-hook.ts'
import { settleCall } from './perform/settle-call.ts'
import { takeInput } from './perform/take-input.ts'
import { wait } from './perform/wait.ts'
import type { Stage } from './stage/stage.ts'

/** Performs a move. Before any effect, everything that it depends on must be durable. */
export function perform(move: Exclude<Move, { type: 'rest' }>, stage: Stage): Promise<void> | void {
  switch (move.type) {
    case 'take_input':
      return takeInput(move, stage)
    case 'observe':
      return observe(move, stage)
    case 'ask_model':
      return askModel(move, stage)
    case 'examine_call':
      return examineCall(move, stage)
    case 'run_hook':
      return runHook(move, stage)
    case 'ask_user':
      return askUser(move, stage)
    case 'run_calls':
      return runCalls(move, stage)
    case 'refuse_call':
      return refuseCall(move, stage)
    case 'settle_call':
      return settleCall(move, stage)
    case 'begin_verification':
      return beginVerification(stage)
    case 'run_check':
      return runCheck(move, stage)
    case 'compact':
      return compact(move, stage)
    case 'decide':
      return decide(move, stage)
    case 'wait':
      return wait(move, stage)
    case 'finish':
      return finish(move, stage)
    default:
      return move satisfies never
  }
}
