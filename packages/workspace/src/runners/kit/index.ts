// What is written for runners, in one file, because it is loaded only where a check is about to run.
export { channel } from './channel.ts'
export { javascriptReporters } from './javascript-reporters.ts'
export { preload } from './preload.ts'
export { nodeOnPath, programOnPath, programs } from './program-on-path.ts'
export { pythonParts } from './python.ts'
