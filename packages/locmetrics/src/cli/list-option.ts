import { Option } from 'commander';

/** A flag whose value is a list of some known words. */
export class ListOption extends Option {
  readonly words: readonly string[];

  constructor(flags: string, description: string, words: readonly string[] = []) {
    super(flags, description);
    this.words = words;
  }
}

/** A flag that can be given several times: its value is a list of the values of its occurrences. */
export function repeatable(
  flags: string,
  description: string,
  words?: readonly string[],
): ListOption {
  const option = new ListOption(flags, description, words);
  const collect = (value: string, before: readonly string[]) => [...before, value];
  option.default([]).argParser(collect);
  return option;
}
