import { EngineError, engineReason } from '@locmetrics/column-store/publish/engine-error';
import {
  openVersionReader,
  type VersionReaderOptions,
} from '@locmetrics/column-store/publish/open-version-reader';
import { summarizeFields } from '@locmetrics/column-store/publish/summarize-fields';
import type { CountedVersion, DatasetVersion } from '@locmetrics/core/domain/version';
import type { PublishReport } from '@locmetrics/data-directory/versions/publish-report';
import type { Acceptance } from '../manifest/acceptance.ts';
import { type Comparison, compareVersions } from './compare-versions.ts';

/** The part of a report that is computed from the records: their content and the changes. */
export type ReportOfRecords = Pick<PublishReport, 'before' | 'rowCountBefore' | 'fields'> &
  Comparison;

type Options = VersionReaderOptions & {
  readonly version: CountedVersion;
  /** The current version. */
  readonly before: DatasetVersion | undefined;
  readonly acceptance: Acceptance;
};

/** Reports the records of a version that is written but not current yet. */
export async function reportRecords(options: Options): Promise<ReportOfRecords> {
  const { before } = options;
  try {
    return { ...(await readRecords(options)), ...beforeOf(before) };
  } catch (error) {
    // A damaged version must not block its successor.
    if (
      before === undefined ||
      !(error instanceof EngineError) ||
      !UNREADABLE_KINDS.has(error.kind)
    )
      throw error;
    const reported = await readRecords({ ...options, before: undefined });
    const reason = `Version ${before.version} cannot be read (${engineReason(error)}).`;
    return {
      ...reported,
      ...beforeOf(before),
      notCompared: (['periods', 'features'] as const)
        .filter((what) => reported[what] !== null)
        .map((what) => ({ what, reason })),
    };
  }
}

function beforeOf(
  before: DatasetVersion | undefined,
): Pick<PublishReport, 'before' | 'rowCountBefore'> {
  return { before: before?.version ?? null, rowCountBefore: before?.rowCount ?? null };
}

const UNREADABLE_KINDS: ReadonlySet<string> = new Set(['IO', 'Serialization', 'INTERNAL', 'FATAL']);

async function readRecords(options: Options): Promise<Pick<PublishReport, 'fields'> & Comparison> {
  const { fields } = options.version.dataset;
  const reader = openVersionReader(options);
  try {
    const ranges = await summarizeFields(await reader.attach(options.version), fields);
    return {
      fields: fields.map(({ name, type }, index) => ({
        name,
        type,
        absent: 0,
        least: null,
        greatest: null,
        ...ranges[index],
      })),
      ...(await compareVersions({ ...options, reader })),
    };
  } finally {
    await reader.close();
  }
}
