import type { ToolAlias } from '@loader/session-core/coding'

export const file = ['path', 'filename', 'file', 'target_file', 'absolute_path', 'relative_workspace_path']
export const folder = ['directory', 'dir', 'folder', 'search_path', 'target_directory', 'dir_path']
export const workingFolder = ['workdir', 'working_directory', 'working_dir', 'directory', 'dir', 'path']

/** Aliases of editor tools that cover several actions; their argument `command` selects one. */
export function editorNames(command: string): readonly ToolAlias[] {
  const editors = ['str_replace_editor', 'str_replace_based_edit_tool', 'text_editor', 'editor']
  return editors.map((name) => ({ name, when: { command } }))
}
