import { type CommandShape, LIST_ORGANISATIONS, type ValueShape } from './command-shapes.ts';
import { flagPattern, flagsByValue, isSwitch } from './flags-by-value.ts';

/** A script for bash 3.2 and later. It needs no other program. */
export function bashScript(shapes: readonly CommandShape[]): string {
  const groups = flagsByValue(shapes);
  return `# Completes locmetrics in bash. Made by: locmetrics completion bash
_locmetrics() {
  local IFS=$'\\n' current=\${COMP_WORDS[COMP_CWORD]} command='' flag='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $flag in
      '') ;;
      ${flagPattern(groups.filter(isSwitch))}) [[ $word == = ]] && continue; flag=''; [[ $word == on || $word == off ]] && continue ;;
      *) [[ $word == = ]] || flag=''; continue ;;
    esac
    case $word in
      ${flagPattern(groups)}) flag=$word ;;
    esac
    case "$command $word" in
${shapes
  .filter(({ name }) => name !== '')
  .map(({ name }) => `      '${commandWords(name)}') command='${name}' ;;`)
  .join('\n')}
    esac
  done
  [[ $current == = ]] && current=''
  [[ $current == -* ]] || case $flag in
${groups
  .map((group) => `    ${flagPattern([group])}) ${completeValue(group.value)}; return ;;`)
  .join('\n')}
  esac
  case $command in
${shapes.map(commandCase).join('\n')}
  esac
}
complete -F _locmetrics locmetrics
`;
}

function commandCase({ name, subcommands, flags, argument }: CommandShape): string {
  const words = subcommands.map((one) => one.name);
  const values = words.length > 0 ? words : argument;
  return `    '${name}')
      if [[ $current == -* ]]; then ${completeWords(flags.map(({ flag }) => flag))}
      else ${completeValue(values)}; fi ;;`;
}

function commandWords(name: string): string {
  const parts = name.split(' ');
  return [parts.slice(0, -1).join(' '), parts.at(-1)].join(' ');
}

function completeValue(value: ValueShape): string {
  if (value === 'file') return completePaths('-f');
  if (value === 'directory') return completePaths('-d');
  if (value === 'organisation') return completeWordList(`"$(${LIST_ORGANISATIONS})"`);
  return value === 'nothing' || value === 'text' ? ':' : completeWords(value);
}

/** From 4.0 on, bash quotes names with spaces if it knows that they are file names. */
function completePaths(kind: string): string {
  return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen ${kind} -- "$current"))`;
}

function completeWords(words: readonly string[]): string {
  return completeWordList(`$'${words.join('\\n')}'`);
}

function completeWordList(list: string): string {
  return `COMPREPLY=($(compgen -W ${list} -- "$current"))`;
}
