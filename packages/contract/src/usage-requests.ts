import { type Static, Type } from 'typebox';
import { pageSize, pageToken } from './paging.ts';
import { CHECKED_LATER, closed } from './schema-parts.ts';
import { TABLE_FORMAT_NAMES, TABLE_FORMAT_TITLES } from './table-formats.ts';

/** The parameters of the usage interface in lowerCamelCase. An edge also accepts each in snake_case. */

/** The columns by which an organisation can group its usage. */
export const USAGE_GROUP_NAMES = ['day', 'dataset', 'operation', 'token'] as const;

/** The columns by which the operator can group usage. */
export const ADMIN_USAGE_GROUP_NAMES = ['organisation', ...USAGE_GROUP_NAMES] as const;

const USAGE_FORMATS = ['json', ...TABLE_FORMAT_NAMES] as const;

const GROUPS_MAX = 10;

const common = {
  from: Type.Optional(
    Type.String({
      description:
        'The first day, YYYY-MM-DD in UTC. Absent: the first day of the month in which `to` lies.',
      examples: ['2026-01-01'],
      [CHECKED_LATER]: { format: 'date' },
    }),
  ),
  to: Type.Optional(
    Type.String({
      description: 'The last day, included. Absent: today. A period has at most 366 days.',
      examples: ['2026-01-31'],
      [CHECKED_LATER]: { format: 'date' },
    }),
  ),
  format: Type.Optional(
    Type.Enum(USAGE_FORMATS, {
      description: `${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(USAGE_FORMATS)}. Absent: as the header \`Accept\` asks, which is JSON by default. ${TABLE_FORMAT_TITLES} has all rows, without pages.`,
    }),
  ),
  pageSize,
  pageToken,
};

const groupBy = (names: readonly string[], absent: string) =>
  Type.Optional(
    Type.Array(Type.String(), {
      maxItems: GROUPS_MAX,
      description: `The columns that usage is summed by: ${names.join(', ')}. Repeated, or separated by commas. Absent: ${absent}.`,
      examples: [[absent]],
    }),
  );

/** The parameters of `GET /v1/usage`. */
export const UsageQuerySchema = closed({ ...common, groupBy: groupBy(USAGE_GROUP_NAMES, 'day') });

/** The parameters of `GET /v1/admin/usage`. */
export const AdminUsageQuerySchema = closed({
  ...common,
  groupBy: groupBy(ADMIN_USAGE_GROUP_NAMES, 'organisation'),
  organisationId: Type.Optional(
    Type.String({ description: 'Only the usage of this organisation. Absent: all organisations.' }),
  ),
});
export type AdminUsageQuery = Static<typeof AdminUsageQuerySchema>;
