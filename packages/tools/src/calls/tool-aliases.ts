/** What the models that are about call a tool and its arguments. Case, `_` and `-` make no difference. */
export interface ToolAliases {
  readonly names: readonly string[]
  /** Other names of each argument; the first that is there counts. */
  readonly arguments: Readonly<Record<string, readonly string[]>>
  /** The argument that is meant when there is only a text. */
  readonly main: string
  readonly numbers?: readonly string[]
  readonly flags?: readonly string[]
  /** Lists, which some models write as JSON in a string. */
  readonly lists?: readonly string[]
}

const file = ['path', 'filename', 'file', 'target_file', 'absolute_path', 'relative_workspace_path']
const folder = ['directory', 'dir', 'folder', 'search_path', 'target_directory', 'dir_path']
const workingFolder = ['workdir', 'working_directory', 'working_dir', 'directory', 'dir', 'path']

export const toolAliases: Readonly<Record<string, ToolAliases>> = {
  read: {
    names: ['read_file', 'view', 'view_file', 'open_file', 'cat', 'get_file', 'file_read'],
    arguments: {
      file_path: file,
      offset: ['start_line', 'line', 'from_line', 'line_start'],
      limit: ['max_lines', 'num_lines', 'line_count', 'lines'],
    },
    main: 'file_path',
    numbers: ['offset', 'limit'],
  },
  write: {
    names: ['write_file', 'create', 'create_file', 'write_to_file', 'save_file', 'new_file', 'file_write'],
    arguments: { file_path: file, content: ['contents', 'text', 'file_text', 'code_content', 'body'] },
    main: 'file_path',
  },
  edit: {
    names: [
      'edit_file',
      'str_replace',
      'string_replace',
      'replace',
      'replace_in_file',
      'search_replace',
      'replace_string_in_file',
      'file_edit',
    ],
    arguments: {
      file_path: file,
      old_string: ['old_str', 'old_text', 'old', 'search', 'find', 'old_content'],
      new_string: ['new_str', 'new_text', 'new', 'replace', 'replacement', 'new_content'],
      replace_all: ['all', 'global', 'allow_multiple'],
    },
    main: 'file_path',
    flags: ['replace_all'],
  },
  patch: {
    names: ['apply_patch', 'apply_diff', 'patch_file', 'file_patch'],
    arguments: {
      file_path: file,
      patch: ['diff', 'patch_text', 'input', 'unified_diff', 'content'],
      hunks: ['edits', 'changes'],
    },
    main: 'patch',
    lists: ['hunks'],
  },
  glob: {
    names: ['find_files', 'glob_files', 'file_search', 'find', 'search_files_by_name', 'glob_search'],
    arguments: {
      pattern: ['glob', 'glob_pattern', 'query', 'name', 'file_pattern'],
      path: folder,
      max_results: ['limit', 'head_limit', 'max'],
    },
    main: 'pattern',
    numbers: ['max_results'],
  },
  grep: {
    names: [
      'search',
      'grep_search',
      'rg',
      'ripgrep',
      'search_files',
      'search_code',
      'search_text',
      'content_search',
      'search_file_content',
    ],
    arguments: {
      pattern: ['query', 'regex', 'search', 'search_pattern', 'search_term', 'text', 'regexp'],
      path: [...folder, 'file', 'file_path'],
      include: ['include_pattern', 'glob', 'file_pattern', 'includes', 'files'],
      context: ['context_lines', '-C', 'lines_of_context'],
      max_results: ['limit', 'head_limit', 'max', 'max_matches', 'max_count'],
      ignore_case: ['case_insensitive', '-i', 'insensitive'],
    },
    main: 'pattern',
    numbers: ['context', 'max_results'],
    flags: ['ignore_case'],
  },
  bash: {
    names: [
      'shell',
      'sh',
      'run',
      'run_command',
      'run_shell_command',
      'run_terminal_cmd',
      'run_in_terminal',
      'execute',
      'execute_command',
      'execute_bash',
      'terminal',
      'exec',
      'exec_command',
      'local_shell',
      'command',
    ],
    arguments: {
      command: ['cmd', 'script', 'commands', 'code', 'bash', 'input'],
      cwd: workingFolder,
      timeout: ['timeout_seconds', 'timeout_secs', 'timeout_s'],
    },
    main: 'command',
    numbers: ['timeout'],
    flags: ['background'],
  },
  git: {
    names: ['git_command', 'run_git'],
    arguments: {
      action: ['subcommand', 'command', 'cmd'],
      args: ['arguments', 'argv', 'options'],
      cwd: workingFolder,
      timeout: ['timeout_seconds'],
    },
    main: 'action',
    numbers: ['timeout'],
    lists: ['args'],
  },
  todo_write: {
    names: ['todos', 'todo', 'write_todos', 'update_todos', 'update_plan', 'todo_list', 'set_todos'],
    arguments: { todos: ['items', 'tasks', 'plan', 'list', 'todo_list'] },
    main: 'todos',
    lists: ['todos'],
  },
  ask_user: {
    names: [
      'ask_user_question',
      'ask',
      'ask_question',
      'ask_followup_question',
      'question',
      'ask_human',
      'request_user_input',
    ],
    arguments: {
      question: ['text', 'prompt', 'message', 'query'],
      title: ['header', 'heading'],
      context: ['background', 'details'],
      options: ['choices', 'answers', 'suggestions', 'follow_up'],
      allow_freeform: ['allow_free_text', 'free_form', 'allow_other'],
    },
    main: 'question',
    flags: ['allow_freeform'],
    lists: ['options'],
  },
}
