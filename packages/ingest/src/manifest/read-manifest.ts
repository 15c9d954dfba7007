import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findDeepNesting } from '@locmetrics/core/errors/nested-too-deep';
import { roundedSize, sizeText } from '@locmetrics/core/errors/size-text';
import { type Document, isNode, isScalar, LineCounter, parseDocument, Scalar } from 'yaml';
import { checkMeasures } from './check-measures.ts';
import { checkOutline } from './check-outline.ts';
import { checkShape } from './check-shape.ts';
import { checkTotals } from './check-totals.ts';
import type { DatasetSource, DeclaredDataset, Manifest, ManifestLine } from './manifest.ts';
import { ManifestError, type ManifestProblem } from './manifest-error.ts';
import { type Report, reportTo } from './manifest-report.ts';
import { readAccept } from './read-acceptance.ts';
import { readAreas } from './read-areas.ts';
import { readDataset } from './read-dataset.ts';
import { readLayers } from './read-layers.ts';
import { readMetrics } from './read-metrics.ts';
import { listYamlProblems } from './yaml-problems.ts';

/**
 * Reads and checks a manifest: YAML, structure, names, roles of fields and references.
 * Throws a `ManifestError` that lists all problems with their lines.
 *
 * File paths are relative to the given folder; default: the folder of the manifest.
 */
export async function readManifest(file: string, filesDirectory?: string): Promise<Manifest> {
  const path = resolve(file);
  const text = await readManifestText(path, file);
  const deep = findDeepNesting(text);
  if (deep !== undefined) {
    throw new ManifestError(file, [
      {
        line: text.slice(0, deep).split('\n').length,
        path: '',
        reason: 'This is nested too deeply for a manifest.',
        hint: 'Check that it is a complete manifest. `locmetrics init FILE…` writes a first one.',
      },
    ]);
  }
  const lineCounter = new LineCounter();
  const yaml = parseDocument(text, { merge: true, lineCounter, prettyErrors: false });
  if (yaml.errors.length > 0) {
    throw new ManifestError(
      file,
      listYamlProblems(yaml.errors, text).map(({ offset, reason, hint }) => ({
        ...placeOf(lineCounter, offset),
        path: '',
        reason: `This is not YAML: ${reason}`,
        hint,
      })),
    );
  }
  const problems: ManifestProblem[] = [];
  const report = reportTo((keys, reason, hint) => {
    const path = keys.join('.');
    problems.push({ ...placeIn(yaml, lineCounter, keys), path, reason, hint });
  });
  const value = toPlainValue(yaml, file);
  const document = checkShape(value, report);
  const folder = filesDirectory === undefined ? dirname(path) : resolve(filesDirectory);
  if (document === undefined) {
    const sound = readSound(value, { problems, folder, report });
    throw new ManifestError(file, inFileOrder(problems), sound);
  }
  const areas = readAreas(document, folder, report);
  const layers = readLayers(document, report);
  const metrics = readMetrics(document, layers, report);
  const datasets = Object.entries(document.datasets).map(([name, written]) => {
    const declared = {
      ...readDataset({ name, declared: written, document, areas, folder, report }),
      layers: layers.filter(({ datasetName }) => datasetName === name).map(({ layer }) => layer),
      metrics: metrics
        .filter(({ datasetName }) => datasetName === name)
        .map(({ metric }) => metric),
    };
    return {
      ...declared,
      lineOf: (keys: readonly string[]) =>
        textLineOf(yaml, { lineCounter, file, keys: ['datasets', name, ...keys] }),
      accept: readAccept(written.accept, declared, report),
    };
  });
  for (const dataset of datasets) {
    checkMeasures(dataset, report);
    const written = document.datasets[dataset.dataset.name];
    if (written !== undefined) checkOutline(dataset, written, report);
    checkTotals(dataset, report);
  }
  if (problems.length > 0) {
    const sound = readSound(document, { problems, folder, report: REPORT_NOTHING });
    throw new ManifestError(file, inFileOrder(problems), sound);
  }
  return { path, datasets: withSiblings(datasets) };
}

/** Datasets of the same files know of each other, such as places and their values. */
function withSiblings<Declared extends { readonly source: DatasetSource }>(
  datasets: readonly Declared[],
): readonly Declared[] {
  const filesOf = ({ source: { files, reading } }: Declared) =>
    JSON.stringify([files, reading.sheet, reading.member]);
  const groups = Map.groupBy(datasets, filesOf);
  return datasets.map((declared) => {
    const siblings = (groups.get(filesOf(declared)) ?? []).filter((other) => other !== declared);
    if (siblings.length === 0) return declared;
    const source = { ...declared.source, siblings: siblings.map((other) => other.source) };
    return { ...declared, source };
  });
}

const REPORT_NOTHING = reportTo(() => {});

/** The datasets without a problem, as if the manifest had nothing else. Further problems of datasets are reported. */
function readSound(
  value: unknown,
  {
    problems,
    folder,
    report,
  }: {
    readonly problems: readonly ManifestProblem[];
    readonly folder: string;
    readonly report: Report;
  },
): readonly DeclaredDataset[] {
  if (typeof value !== 'object' || value === null || !('datasets' in value)) return [];
  const { datasets } = value;
  if (typeof datasets !== 'object' || datasets === null) return [];
  const sound = Object.entries(datasets).filter(
    ([name]) => !problems.some(({ path }) => `${path}.`.startsWith(`datasets.${name}.`)),
  );
  let isSound = true;
  const watched = reportTo((keys, reason, hint) => {
    isSound = false;
    report.at(...keys)(reason, hint);
  });
  const areas = 'areas' in value ? { areas: value.areas } : {};
  const soundOnly = { format: 1, datasets: Object.fromEntries(sound), ...areas };
  const document = checkShape(soundOnly, REPORT_NOTHING);
  return Object.entries(document?.datasets ?? {}).flatMap(([name, declared]) => {
    isSound = true;
    if (document === undefined) return [];
    const boundaries = readAreas(document, folder, REPORT_NOTHING);
    const rows = readDataset({
      name,
      declared,
      document,
      areas: boundaries,
      folder,
      report: watched,
    });
    const dataset = { ...rows, layers: [], metrics: [] };
    // The other thresholds need the layers and metrics.
    const rejected = declared.accept?.rejected_rows;
    const accept = readAccept(
      rejected === undefined ? undefined : { rejected_rows: rejected },
      dataset,
      watched,
    );
    return isSound ? [{ ...dataset, accept }] : [];
  });
}

function inFileOrder(problems: readonly ManifestProblem[]): readonly ManifestProblem[] {
  return problems.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
}

async function readManifestText(path: string, file: string): Promise<string> {
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > BYTES_MAX) {
      throw new Error(
        `it has ${roundedSize(size)}, but a manifest can have at most ${sizeText(BYTES_MAX)}`,
      );
    }
    bytes = await readFile(path);
  } catch (error) {
    throw new ManifestError(file, [{ path: '', ...describeUnreadable(error, file) }]);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ManifestError(file, [
      { path: '', reason: 'The manifest is not UTF-8.', hint: 'Save the file as UTF-8.' },
    ]);
  }
}

const BYTES_MAX = 16 * 2 ** 20;

function describeUnreadable(
  error: unknown,
  file: string,
): { readonly reason: string; readonly hint: string } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EISDIR') {
    return {
      reason: 'This is a folder, not a manifest.',
      hint: `Give the path of the manifest in it, such as ${join(file, 'locmetrics.yaml')}.`,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    reason:
      code === 'ENOENT'
        ? 'The manifest does not exist.'
        : `The manifest cannot be read: ${message}.`,
    hint: 'Give the path of your manifest, such as data/locmetrics.yaml. `locmetrics init FILE…` writes a first one.',
  };
}

/** An alias can be unresolved, or can expand to an exponential number of nodes. */
function toPlainValue(yaml: Document, file: string): unknown {
  try {
    return yaml.toJS();
  } catch (error) {
    throw new ManifestError(file, [
      {
        path: '',
        reason: `The aliases in the manifest cannot be followed: ${error instanceof Error ? error.message : error}.`,
        hint: 'Write the values in place of the aliases.',
      },
    ]);
  }
}

function placeOf(lineCounter: LineCounter, offset: number) {
  const { line, col: column } = lineCounter.linePos(offset);
  return { line, column };
}

/** The place of the deepest part of the path that exists in the file. */
function placeIn(
  yaml: Document,
  lineCounter: LineCounter,
  keys: readonly string[],
): Pick<ManifestProblem, 'line' | 'column'> {
  for (let depth = keys.length; depth > 0; depth -= 1) {
    const node = yaml.getIn(keys.slice(0, depth), true);
    if (isNode(node) && node.range) return placeOf(lineCounter, node.range[0]);
  }
  return {};
}

/** The same for a message after the manifest was read, which may be about a line of a text. */
function textLineOf(
  yaml: Document,
  {
    lineCounter,
    file,
    keys,
  }: {
    readonly lineCounter: LineCounter;
    readonly file: string;
    readonly keys: readonly string[];
  },
): ManifestLine | undefined {
  const { line } = placeIn(yaml, lineCounter, keys);
  if (line === undefined) return undefined;
  const node = yaml.getIn(keys, true);
  return { file, line, isBlock: isScalar(node) && node.type === Scalar.BLOCK_LITERAL };
}
