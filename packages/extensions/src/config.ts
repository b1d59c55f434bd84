export { hooksOfSettings, hooksOfSharedFile } from './hooks/configured-hooks.ts'
export { type ConfiguredHook, HooksSetting } from './hooks/hook-settings.ts'
