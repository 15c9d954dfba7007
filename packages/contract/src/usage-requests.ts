import { type Static, Type } from 'typebox';
import { closed } from './schema-parts.ts';

/** The parameters of the usage interface in lowerCamelCase. An edge accepts each in snake_case too. */

/** By what an organisation can have its usage added up. */
export const USAGE_GROUP_NAMES = ['day', 'dataset', 'operation', 'token'] as const;

/** By what the operator can. */
export const ADMIN_USAGE_GROUP_NAMES = ['organisation', ...USAGE_GROUP_NAMES] as const;

export const USAGE_FORMATS = ['json', 'csv'] as const;

const GROUPS_MAX = 10;

const common = {
  from: Type.Optional(
    Type.String({
      description:
        'The first day, YYYY-MM-DD in UTC. Absent: the first of the month of the last day.',
    }),
  ),
  to: Type.Optional(
    Type.String({
      description:
        'The last day, included; at most 366 days in all. Absent: today, so that without both it is this month.',
    }),
  ),
  format: Type.Optional(
    Type.Enum(USAGE_FORMATS, {
      description: 'json or csv. Absent: as the header `Accept` asks, which is JSON by default.',
    }),
  ),
  pageSize: Type.Optional(
    Type.Integer({
      description:
        'How many rows to return at most. Absent or 0: 100; above 10,000: 10,000; negative: an error. CSV has all rows.',
    }),
  ),
  pageToken: Type.Optional(
    Type.String({
      description:
        'nextPageToken of the page before, with the same request otherwise; only pageSize may change.',
    }),
  ),
};

const groupBy = (names: readonly string[], absent: string) =>
  Type.Optional(
    Type.Array(Type.String(), {
      maxItems: GROUPS_MAX,
      description: `By what usage is added up: ${names.join(', ')}; repeated, or separated by commas. Absent: ${absent}.`,
    }),
  );

/** The parameters of `GET /v1/usage`. */
export const UsageQuerySchema = closed({ ...common, groupBy: groupBy(USAGE_GROUP_NAMES, 'day') });

/** The parameters of `GET /v1/admin/usage`. */
export const AdminUsageQuerySchema = closed({
  ...common,
  groupBy: groupBy(ADMIN_USAGE_GROUP_NAMES, 'organisation'),
  organisationId: Type.Optional(
    Type.String({ description: 'The organisation whose usage is wanted. Absent: all.' }),
  ),
});
export type AdminUsageQuery = Static<typeof AdminUsageQuerySchema>;
