import { io } from '../../process/io.ts';

/** The hidden command that the scripts call. Its arguments are the words after `ralph`; the last is the one to complete. */
export const COMPLETE = '__complete';

export type Shell = 'bash' | 'zsh' | 'fish';

/** Without a candidate of ours, each shell completes names of files. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_ralph() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <(ralph ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _ralph ralph
`,
  zsh: `#compdef ralph
_ralph() {
  local -a candidates
  candidates=("\${(@f)$(ralph ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then
    compadd -a candidates
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _ralph ]]; then
  _ralph "$@"
else
  compdef _ralph ralph
fi
`,
  fish: `function __ralph_candidates
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  set -l candidates (ralph ${COMPLETE} $words "$current" 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path "$current"
  end
end
complete -c ralph -f -a '(__ralph_candidates)'
`,
};

export function completionCommand(shell: Shell): number {
  io().stdout.write(SCRIPTS[shell]);
  return 0;
}
