export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The command that the scripts ask, which is in no help. */
export const COMPLETE = '__complete';

/** A script for a shell, which asks the program itself what can follow: it never differs from it. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of parley for bash: eval "$(parley completion bash)" in ~/.bashrc
_parley() {
  # Words as bash does not split them at ":" and "=".
  local line="\${COMP_LINE:0:COMP_POINT}" words word
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [[ -n "$word" ]] && COMPREPLY+=("$word")
  done < <(parley ${COMPLETE} -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _parley parley
`,
  zsh: `#compdef parley
# Completion of parley for zsh: eval "$(parley completion zsh)" in ~/.zshrc, after compinit
_parley() {
  local -a found
  local word description
  while IFS=$'\\t' read -r word description; do
    [[ -n "$word" ]] && found+=("\${word//:/\\\\:}:$description")
  done < <(parley ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe 'parley' found
  else
    _files
  fi
}
compdef _parley parley
`,
  fish: `# Completion of parley for fish: parley completion fish > ~/.config/fish/completions/parley.fish
function __parley_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    parley ${COMPLETE} -- $words[2..] (commandline --current-token --cut-at-cursor) 2>/dev/null
end
complete --command parley --arguments '(__parley_complete)'
`,
};
