import * as z from 'zod/mini'
import { HookApart } from '../src/words/hook-apart.ts'
import { BackgroundCommand, BackgroundEnd, ListeningPort, PublishedPort } from '../src/words/background.ts'
import {
  ChildGrant,
  ChildOutcome,
  ChildPlace,
  ChildSession,
  CopiedTree,
  MergedFile,
  ParentSession,
} from '../src/words/child.ts'
import { FileIntent, HookRun, HookStart, QuestionText, TouchedPath } from '../src/events/calls.ts'
import { typeOf } from '../src/events/define.ts'
import { eventTypes, ForeignEvent, SessionEvent } from '../src/events/event.ts'
import { FinishReason, ModelFailure, RequestPurpose } from '../src/events/model.ts'
import { Lane } from '../src/events/turn.ts'
import { SessionSnapshot, SessionSegment } from '../src/state/snapshot.ts'
import { Gap } from '../src/words/gap.ts'
import { EndedTurn, OpenCall, QueuedInput, Request, Spent, Turn, Work } from '../src/state/turn.ts'
import { Brief, Check, Criterion, Evidence, Goal, Plan, ProjectFacts, Todo } from '../src/words/goal.ts'
import { Id, SessionId } from '../src/words/ids.ts'
import { isJsonRecord, JsonObject, JsonValue } from '../src/words/json.ts'
import { Acceptance, CheckStanding, EndStatement, Judgement, NameList } from '../src/words/judgement.ts'
import { Ledger } from '../src/words/ledger.ts'
import {
  AnswerPart,
  CallPart,
  FilePart,
  QuotedFile,
  Message,
  MessageOrigin,
  Part,
  ReasoningPart,
  ResultPart,
  TextPart,
  ToolCall,
  ToolOutcome,
} from '../src/words/message.ts'
import { FileChange, Grounding, LeftOut, SeenPath, WorkspaceTree } from '../src/words/observed.ts'
import { FolderPlace, SavedFiles, SavedHistory } from '../src/words/saved-files.ts'
import { Owner } from '../src/words/owner.ts'
import { Phase, Transition } from '../src/words/phase.ts'
import {
  Effect,
  Limits,
  ModelCapabilities,
  PermissionMode,
  PermissionRule,
  Permission,
  Policy,
  Reach,
  WallsRecord,
} from '../src/words/policy.ts'
import { PromptFormat, PromptSection, PromptSnapshot } from '../src/words/prompt.ts'
import { StoredText } from '../src/words/stored-text.ts'
import { Timestamp } from '../src/words/time.ts'
import {
  CompletionTraceEntry,
  Decision,
  DecisionKind,
  EntryKind,
  EvidenceProvenance,
  TimelineEntry,
  VerificationObservation,
} from '../src/words/timeline.ts'
import { ThinkingLevel } from '../src/words/thinking.ts'
import { Cost, CostTotals, PriceCeiling } from '../src/words/cost.ts'
import { Totals, Usage } from '../src/words/usage.ts'
import { Verdict } from '../src/words/verdict.ts'
import { WorkflowMode } from '../src/words/workflow-mode.ts'

/** The schemas under `$defs` besides the events, by name, with their descriptions. */
const sharedTypes: Readonly<Record<string, readonly [schema: z.ZodMiniType, description: string]>> = {
  Acceptance: [Acceptance, 'What the user accepted although no check shows it.'],
  AnswerPart: [AnswerPart, 'A part of what a model answered: anything but results.'],
  BackgroundCommand: [BackgroundCommand, 'A command that goes on while other calls run, or has ended.'],
  BackgroundEnd: [BackgroundEnd, 'How a background command ended.'],
  Brief: [Brief, 'What the user wants, as it was clarified.'],
  CallPart: [CallPart, 'A call that the model made.'],
  ChildGrant: [ChildGrant, 'What a child session may do and use. It is never more than its parent has.'],
  ChildOutcome: [ChildOutcome, 'How the task of a child session ended.'],
  ChildPlace: [
    ChildPlace,
    'Where a child session works: in the folder of its parent, which it only looks at, or in a copy.',
  ],
  ChildSession: [ChildSession, 'A session that another one has begun for a part of its task.'],
  CopiedTree: [CopiedTree, 'The files of a copy of the workspace at one moment.'],
  MergedFile: [MergedFile, 'What became of a file that a child session has changed in its copy.'],
  ParentSession: [ParentSession, 'The session that began a session for a part of its task.'],
  Check: [Check, 'A command that can show whether a criterion holds.'],
  CheckStanding: [CheckStanding, 'Where one check stands, and on what that was seen.'],
  CompletionTraceEntry: [CompletionTraceEntry, 'A line of the completion trace of an older system.'],
  Criterion: [Criterion, 'One thing that must hold for the task to be done.'],
  Decision: [Decision, 'A decision of the runtime, with its reasons. An absent list is an empty one.'],
  DecisionKind: [DecisionKind, 'How a mode came about.'],
  Effect: [Effect, 'What a call can do: nothing, look, change the files that it names, or anything.'],
  Reach: [
    Reach,
    'What a call can touch: look at files; work in the workspace; the network as well; or everything that the user can.',
  ],
  WallsRecord: [WallsRecord, 'Which walls a command ran in, and what they held.'],
  EndStatement: [EndStatement, 'What the model says about the end of a turn. Facts decide.'],
  EndedTurn: [EndedTurn, 'What remains of a turn when it has ended.'],
  EntryKind: [EntryKind, 'What a decision was about.'],
  Evidence: [Evidence, 'What one run of a check showed. Only the runtime writes it.'],
  EvidenceProvenance: [EvidenceProvenance, 'One reason of a decision, with where it was seen.'],
  FileChange: [FileChange, 'A file that differs from the baseline of the turn.'],
  FileIntent: [FileIntent, 'One file that a call is going to change. Null stands for a file that is not there.'],
  FilePart: [FilePart, 'A file or image.'],
  FolderPlace: [FolderPlace, 'A folder on a machine, as a session tells it from others.'],
  QuotedFile: [QuotedFile, 'A text file that the user named.'],
  FinishReason: [FinishReason, 'Why a model stopped. `interrupted` is a stream that closed without an end.'],
  ForeignEvent: [ForeignEvent, 'An event that this version does not know. It keeps its place and its content.'],
  Gap: [Gap, 'Events that are lost, from one seq to another.'],
  Goal: [Goal, 'The definition of done: a task, and how to know that it is done.'],
  LeftOut: [LeftOut, 'One way in which files of a workspace are not in its tree.'],
  WorkspaceTree: [WorkspaceTree, 'The files of a workspace at one moment, as a git tree in a repository of our own.'],
  Grounding: [Grounding, 'What a short look around a workspace showed about a task.'],
  Id: [Id, 'Id of a message, turn, input, request, call, question, check or entry: at most 256 characters, made once.'],
  JsonObject: [JsonObject, 'Any JSON object.'],
  JsonValue: [JsonValue, 'Any JSON value.'],
  Judgement: [
    Judgement,
    'Where a check or a turn stands. Words are open: a later version may write one that is not listed here.',
  ],
  ListeningPort: [ListeningPort, 'A port on which a background command listens.'],
  PublishedPort: [PublishedPort, 'A port of a background command on the loopback of the machine.'],
  Lane: [Lane, 'The way a turn runs: with everything, as mere talk, only looking, or only to compact.'],
  Ledger: [Ledger, "What a task rests on: what is assumed, what will be accepted, and where a decision is the user's."],
  Limits: [Limits, 'Budgets of a turn. An absent one has the default of the program.'],
  Message: [
    Message,
    'One message of the window that the model sees. It has the id of what caused it: the input, the request, the call, the timeline entry or the compaction.',
  ],
  MessageOrigin: [MessageOrigin, 'Who caused a message.'],
  ModelCapabilities: [ModelCapabilities, 'What a model can do.'],
  ModelFailure: [ModelFailure, 'Why a request failed.'],
  NameList: [NameList, 'How many there are, and the first of them.'],
  OpenCall: [OpenCall, 'A call of the last answer, and how far it has come.'],
  Owner: [Owner, 'Who writes the session.'],
  Part: [Part, 'A part of a message. `type` says which.'],
  PermissionMode: [PermissionMode, 'What calls may do when no rule says otherwise.'],
  PermissionRule: [PermissionRule, 'A rule about calls. It holds for a call that matches everything it names.'],
  Permission: [Permission, 'Whether a call may run, or the user is asked.'],
  Phase: [Phase, 'How far a turn has come.'],
  Plan: [Plan, 'How the task will be done and checked.'],
  Policy: [Policy, 'Everything that decisions depend on and that does not come from the conversation.'],
  ProjectFacts: [ProjectFacts, 'What is known about the workspace.'],
  PromptFormat: [PromptFormat, 'How the model is told to call tools: by itself, or in text.'],
  PromptSection: [PromptSection, 'A part of a system prompt.'],
  PromptSnapshot: [PromptSnapshot, 'A system prompt as it was used, and what it was made for.'],
  Cost: [Cost, 'What a request cost. An unknown cost is absent, and never 0; a local model has no price.'],
  CostTotals: [CostTotals, 'What the requests of a turn, or a whole session, cost.'],
  PriceCeiling: [PriceCeiling, 'The highest prices of a model, for estimates.'],
  HookRun: [HookRun, 'A command that ran as a hook, and how it ended.'],
  HookStart: [HookStart, 'A command that begins as a hook.'],
  HookApart: [HookApart, 'A hook that the session does not wait for.'],
  QuestionText: [QuestionText, 'What a call wants to know from the user.'],
  QueuedInput: [QueuedInput, 'An input that is not yet a message.'],
  ReasoningPart: [ReasoningPart, 'What the model thought before it answered.'],
  Request: [Request, 'The model request of a turn that was made last.'],
  RequestPurpose: [RequestPurpose, 'What an answer is for. Only those to `answer` and `clarify` become messages.'],
  ResultPart: [ResultPart, 'The answer to a call.'],
  SeenPath: [SeenPath, 'Whether a file is there.'],
  SessionEvent: [SessionEvent, 'An event that this version knows. `type` says which.'],
  SessionId: [
    SessionId,
    'Id of a session, with which the names of its files begin: 1 to 64 letters, digits, "_" or "-", first a letter or digit; no device name of Windows, such as con.',
  ],
  Spent: [Spent, 'What a turn has spent of its budgets. They begin at zero with every turn.'],
  SavedFiles: [SavedFiles, 'What was stored of a workspace, so that its files can be made again elsewhere.'],
  SavedHistory: [SavedHistory, 'Commits of the project that no remote has, as a pack of git.'],
  StoredText: [StoredText, 'A text, or, when it is long, a reference to where the store keeps it.'],
  TextPart: [TextPart, 'Text.'],
  ThinkingLevel: [ThinkingLevel, 'How much a model thinks before it answers.'],
  TimelineEntry: [TimelineEntry, 'A decision in its place in the session.'],
  Timestamp: [Timestamp, 'ISO 8601 in UTC with milliseconds, such as 2026-01-31T09:30:00.000Z.'],
  Todo: [Todo, 'One item of the list that the model keeps.'],
  ToolCall: [ToolCall, 'What a model wants a tool to do.'],
  ToolOutcome: [
    ToolOutcome,
    'How a call ended. `unknown` means that it cannot be told whether it took effect; it is never turned into another outcome.',
  ],
  Totals: [Totals, 'What a turn, or a whole session, has used.'],
  TouchedPath: [TouchedPath, 'A path that a call will look at or change.'],
  Transition: [Transition, 'A step from one phase to another.'],
  Turn: [Turn, 'The turn that is under way.'],
  Usage: [Usage, 'Tokens of one request as the server reported them. What it did not report is absent, never guessed.'],
  Verdict: [Verdict, 'Where a criterion stands. Only `verified` and `waived` count as done.'],
  Work: [Work, 'What the calls of a turn have done, as far as their outcomes tell.'],
  VerificationObservation: [VerificationObservation, 'What was known about one check at the time of a decision.'],
  WorkflowMode: [WorkflowMode, 'What the runtime has the model do.'],
}

/** JSON Schemas of the files on disk, for programs in other languages. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'session-event': write('Event of a Loader session', z.union([SessionEvent, ForeignEvent])),
    'session-snapshot': write('Snapshot of a Loader session', SessionSnapshot),
    'session-segment': write('Sealed segment of a Loader session', SessionSegment),
  }
}

function write(title: string, schema: z.ZodMiniType): object {
  const metadata = namesOf()
  for (const [id, [shared, description]] of Object.entries(sharedTypes)) metadata.add(shared, { id, description })
  for (const event of SessionEvent.def.options) metadata.add(event, { id: nameOf(typeOf(event)) })
  const written = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata, override })
  const { $schema, ...rest } = written
  return { $schema, title, ...rest }
}

/**
 * Names schemas for one run, in addition to their global descriptions. Not a subclass of zod's registry: that would
 * pull all of zod into the bundle of a program that uses none of this.
 */
function namesOf(): z.core.$ZodRegistry<z.core.GlobalMeta> {
  const names = z.registry<z.core.GlobalMeta>()
  const own = names.get.bind(names)
  names.get = (schema) => ({ ...own(schema), ...z.globalRegistry.get(schema) })
  return names
}

/** `permission.rule_added` becomes PermissionRuleAdded, which code generators can use unchanged. */
function nameOf(type: string): string {
  return type.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

const anyObject = { type: 'object', additionalProperties: { $ref: '#/$defs/JsonValue' } }
const anyValue = {
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', items: { $ref: '#/$defs/JsonValue' } },
    { $ref: '#/$defs/JsonObject' },
  ],
}

/** Adds what zod cannot express: the checks of custom schemas, and that a foreign event must not have a known type. */
const override: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod
  if (def.type === 'custom' && !('$ref' in jsonSchema)) {
    Object.assign(jsonSchema, def.fn === isJsonRecord ? anyObject : anyValue)
  }
  if (zodSchema === ForeignEvent) {
    const type = jsonSchema.properties?.['type'] as object
    Object.assign(type, { not: { enum: eventTypes } })
  }
}
