import { isDeepStrictEqual } from 'node:util';

export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type Exposition = {
  readonly samples: readonly Sample[];
  /** Name → type, from the lines `# TYPE`. */
  readonly types: ReadonlyMap<string, string>;
  /** Name → text, from the lines `# HELP`. */
  readonly helps: ReadonlyMap<string, string>;
};

/** Parses the text format of Prometheus. An invalid line fails the test. */
export function readExposition(text: string): Exposition {
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line);
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (comment !== null) {
      const [, what, name = '', rest = ''] = comment;
      const map = what === 'TYPE' ? types : helps;
      if (map.has(name)) throw new Error(`There are two lines ${what} of ${name}.`);
      map.set(name, rest);
    } else if (sample !== null) {
      const [, name = '', labels = '', value] = sample;
      samples.push({ name, labels: readLabels(labels), value: Number(value) });
    } else {
      throw new Error(`This is no line of the format: ${line}`);
    }
  }
  return { samples, types, helps };
}

/** The value of one sample. Undefined if there is none. */
export function sampleOf(
  text: string,
  name: string,
  labels: Readonly<Record<string, string>>,
): number | undefined {
  return readExposition(text).samples.find(
    (sample) => sample.name === name && isDeepStrictEqual(sample.labels, labels),
  )?.value;
}

function readLabels(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}
