export { openWorkspace, type WorkspaceOptions } from './open-workspace.ts'
export { WorkspaceCopies, type WorkspaceCopiesOptions, type WorkspaceCopy } from './copies/workspace-copies.ts'
export { type ChangedFile, type Emptied, emptied } from './emptied/emptied.ts'
export { type FileNow, readFileNow } from './files/file-now.ts'
export { readOrdinary } from './files/read-ordinary.ts'
export { removeFile, replaceFile } from './files/replace.ts'
export { contentHash, decode, unwritable } from './files/text.ts'
export { harmlessVariables, repositoryAbove } from './git/repository.ts'
export {
  type Import,
  type ImportGraph,
  type ImportGraphOptions,
  type SkippedFile,
  type Unresolved,
  importGraph,
} from './imports/import-graph.ts'
export type { FileReading } from './imports/file-reading.ts'
export type { ProjectFile } from './imports/project-files.ts'
export type { ReadingCache, ReadingLimits, SkipReason } from './imports/read-file.ts'
export type { Doubt } from './imports/resolution.ts'
export type { NamedPath } from './imports/resolve-names.ts'
export { isLoaderFolder } from './paths/folder-names.ts'
export { type Folder, type Holding, bestHolding, makeFolder, openFolder } from './paths/folder.ts'
export { type Place, isWithin, realRoot, resolvePlace } from './paths/place.ts'
export { codeOf } from './paths/system-errors.ts'
export { type ChildVariables, childVariables } from './processes/child-variables.ts'
export { commandFolder } from './processes/command-folder.ts'
export { findContainment, promiseOf } from './processes/containment.ts'
export { endingNotes, signalOf } from './processes/ending-text.ts'
export { KeptOutput } from './processes/kept-output.ts'
export type { ProcessOptions } from './processes/process-options.ts'
export { programOnPath } from './processes/program-on-path.ts'
export { type EndedCommand, runCommand } from './processes/run-command.ts'
export { type EndedProgram, runProgram } from './processes/run-program.ts'
export { openRooms, type RoomsOptions } from './rooms/open-rooms.ts'
export type {
  HowRoom,
  IgnoredChange,
  IgnoredFiles,
  InstalledPackages,
  KeptIgnored,
  RoomCommand,
  RoomOf,
  RoomCommandRun,
  Rooms,
} from './rooms/room.ts'
export { treesNamedIn } from './trees/named-in.ts'
export { LocalTrees, type TreesOptions } from './trees/open-trees.ts'
export type { FrozenCheckout, InventoryChanges, TreeLimits } from './trees/trees-shown.ts'
export {
  type KnownProject,
  type Project,
  type ProjectsOptions,
  type ProjectStanding,
  findProject,
  knownProjects,
  knownRoots,
} from './projects/find-project.ts'
export { type PrepareOptions, type PreparedWorkspace, prepareWorkspace } from './prepare/prepare-workspace.ts'
export { homeFolder } from './projects/home-folder.ts'
export { keepProject } from './projects/keep-project.ts'
export type { ProjectFolders } from './projects/project-folders.ts'
export { stateFolder } from './projects/state-folder.ts'
export type { StayingEnd, StayingProcess } from './processes/staying-process.ts'
export { SecretReplacer } from './processes/secret-replacer.ts'
export { removeKept } from './walls/session-folders.ts'
export { type FindWallsOptions, findWalls } from './walls/find-walls.ts'
export {
  type CommandInWalls,
  type OwnFolders,
  type StayingCommand,
  type WallsAround,
  type WallsAroundOptions,
  wallsAround,
  type WallsState,
} from './walls/walls-around.ts'
export { withheldNotes } from './walls/withheld.ts'
export type { Lent } from './walls/lending.ts'
export type { Access, Mount } from './walls/mount.ts'
export {
  type Available,
  type EndedWalledCommand,
  type Guarantee,
  type SetAside,
  type WallsStage,
  type WalledCommand,
  type Walls,
  type WallsPlace,
  type WallsSettings,
  guarantees,
} from './walls/walls.ts'
export { type Canary, canaryOf } from './runners/canary.ts'
export type { CanaryRequest } from './runners/canary-request.ts'
export { type KitOptions, type LoneCanary, writeKit } from './runners/write-kit.ts'
export { readReports } from './runners/read-reports.ts'
export {
  type ProjectTexts,
  type ReportDoubt,
  type RunnerName,
  type RunnerReport,
  type ReportedOutcome,
  type ReportedTest,
  runnerNames,
} from './runners/runner.ts'
export { breather } from './walk/breather.ts'
export { IgnoreRules, folderOf } from './walk/ignore-rules.ts'
export { installedFolders, isNeverListed } from './walk/names.ts'
export { readHeld } from './walk/read-held.ts'
export { type ListedFolder, type WalkReport, byFolder, hold, walkFolders, within } from './walk/walk-folders.ts'
export {
  BackgroundCommands,
  type BackgroundOptions,
  type BackgroundRequest,
  type ReachablePort,
  type PortConnection,
} from './background/background-commands.ts'
export { keepHere, type KeeperProgram } from './background/keeper.ts'
export { type LivingCommand, livingCommands, stopLiving } from './background/list-background.ts'
export type { OutputPart } from './background/output-file.ts'
