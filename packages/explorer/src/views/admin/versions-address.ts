import { damaged } from '../../data/selection.ts';

/** The state of the view of the versions of a dataset: the report or the comparison that is shown beside them. */
export type VersionsAddress = {
  /** The version whose report is shown. */
  readonly report?: string;
  /** The versions that are compared. */
  readonly from?: string;
  readonly to?: string;
};

export function readVersionsAddress(query: Readonly<Record<string, unknown>>): VersionsAddress {
  const { report, from, to } = query;
  return {
    ...(report === undefined ? {} : { report: readVersion('report', report) }),
    ...(from === undefined ? {} : { from: readVersion('from', from) }),
    ...(to === undefined ? {} : { to: readVersion('to', to) }),
  };
}

function readVersion(name: string, given: unknown): string {
  if (typeof given === 'string' && given !== '') return given;
  throw damaged(name, given, 'the name of a version');
}
