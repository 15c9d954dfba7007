import {
  type CommandShape,
  type FlagShape,
  LIST_ORGANISATIONS,
  type ValueShape,
} from './command-shapes.ts';
import { flagPattern, flagsByValue, isSwitch } from './flags-by-value.ts';

/** A script for fish 3 and later. */
export function fishScript(shapes: readonly CommandShape[]): string {
  const groups = flagsByValue(shapes).filter((group) => !isSwitch(group));
  return `# Completes locmetrics in fish. Made by: locmetrics completion fish
function __locmetrics_is
    set -l command ''
    set -l flag ''
    for word in (commandline -opc)[2..-1]
        if test -n "$flag"
            set flag ''
            continue
        end
        switch $word
            case ${flagPattern(groups).replaceAll('|', ' ')}
                set flag $word
        end
        switch (string trim -- "$command $word")
            case ${shapes
              .filter(({ name }) => name !== '')
              .map(({ name }) => `'${name}'`)
              .join(' ')}
                set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv[1]"
end
complete -c locmetrics -f
${shapes.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ name, subcommands, flags, argument }: CommandShape): readonly string[] {
  const start = `complete -c locmetrics -n '__locmetrics_is "${name}"'`;
  return [
    ...subcommands.map((one) => `${start} -a ${one.name} -d ${quote(one.summary)}`),
    ...flags.map((flag) => `${start} ${flagText(flag)}`),
    ...argumentText(argument).map((text) => `${start} ${text}`),
  ];
}

function flagText({ flag, description, value }: FlagShape): string {
  return `-l ${flag.slice(2)}${VALUES.get(value) ?? wordsText(value)} -d ${quote(description)}`;
}

const VALUES: ReadonlyMap<ValueShape, string> = new Map([
  ['nothing', ''],
  ['text', ' -x'],
  ['file', ' -r -F'],
  ['organisation', ` -x -a '(${LIST_ORGANISATIONS})'`],
  ['directory', " -x -a '(__fish_complete_directories)'"],
]);

function wordsText(value: ValueShape): string {
  return typeof value === 'string' ? '' : ` -x -a '${value.join(' ')}'`;
}

function argumentText(argument: ValueShape): readonly string[] {
  if (argument === 'file') return ['-F'];
  if (argument === 'organisation') return [`-a '(${LIST_ORGANISATIONS})'`];
  return typeof argument === 'string' ? [] : [`-a '${argument.join(' ')}'`];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
