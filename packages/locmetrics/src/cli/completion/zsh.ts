import { type CommandShape, LIST_ORGANISATIONS, type ValueShape } from './command-shapes.ts';
import { flagPattern, flagsByValue, isSwitch } from './flags-by-value.ts';

/** A script for zsh, to be autoloaded as \`_locmetrics\` or sourced. */
export function zshScript(shapes: readonly CommandShape[]): string {
  const groups = flagsByValue(shapes);
  return `#compdef locmetrics
# Completes locmetrics in zsh. Made by: locmetrics completion zsh
_locmetrics() {
  local command='' flag='' word
  local -a names
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case $flag in
      '') ;;
      ${flagPattern(groups.filter(isSwitch))}) flag=''; [[ $word == (on|off) ]] && continue ;;
      *) flag=''; continue ;;
    esac
    case $word in
      ${flagPattern(groups)}) flag=$word ;;
    esac
    case "$command $word" in
${shapes
  .filter(({ name }) => name !== '')
  .map(({ name }) => `      '${name.includes(' ') ? name : ` ${name}`}') command='${name}' ;;`)
  .join('\n')}
    esac
  done
  if [[ $words[CURRENT] == --*=* ]]; then
    flag=\${words[CURRENT]%%=*}
    compset -P '*='
  elif [[ $words[CURRENT] == -* ]]; then
    flag=''
  fi
  case $flag in
${groups
  .map((group) => `    ${flagPattern([group])}) ${completeValue(group.value)}; return ;;`)
  .join('\n')}
  esac
  case $command in
${shapes.map(commandCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _locmetrics ]]; then _locmetrics "$@"; else compdef _locmetrics locmetrics; fi
`;
}

function commandCase({ name, subcommands, flags, argument }: CommandShape): string {
  const described = flags.map(({ flag, description }) => describe(flag, description));
  const commands = subcommands.map((one) => describe(one.name, one.summary));
  return `    '${name}')
      if [[ $words[CURRENT] == -* ]]; then
        names=(${described.join(' ')})
        _describe -o option names
      else
        ${
          commands.length > 0
            ? `names=(${commands.join(' ')}); _describe command names`
            : completeValue(argument)
        }
      fi ;;`;
}

function describe(name: string, text: string): string {
  return `'${name}:${text.replaceAll('\\', '\\\\').replaceAll(':', '\\:').replaceAll("'", "'\\''")}'`;
}

function completeValue(value: ValueShape): string {
  if (value === 'file') return '_files';
  if (value === 'directory') return '_files -/';
  if (value === 'organisation') return `compadd -- \${(f)"$(${LIST_ORGANISATIONS})"}`;
  return value === 'nothing' || value === 'text' ? ':' : `compadd -- ${value.join(' ')}`;
}
