import type {
  AdminAuditEntry,
  AdminCheckedGrantValue,
  AdminFittedGrant,
  AdminGrant,
  AdminLimits,
  AdminOrganisation,
  AdminToken,
  CallerAnswer,
} from '@locmetrics/contract';
import type { Grant } from '../domain/grant.ts';
import { grantDays } from '../domain/grant-days.ts';
import type { GrantFit, GrantState } from '../domain/grant-fit.ts';
import type { OrganisationLimits } from '../domain/rights.ts';

/*
 * The entries of the control store, as the admin interface and the command line show them: times in RFC
 * 3339, and null for absent values.
 */

type Moment = number | undefined;

export function toOrganisationAnswer({
  id,
  name,
  created,
  suspended,
}: {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly suspended: Moment;
}): AdminOrganisation {
  return { id, name, created: timeText(created), suspended: toTime(suspended) };
}

/** A token of a list. */
export function toTokenAnswer(
  entry: Omit<
    AdminToken,
    'created' | 'expires' | 'lastUsed' | 'revoked' | 'replacedBy' | 'scopes'
  > & {
    readonly scopes: readonly string[];
    readonly created: number;
    readonly expires: Moment;
    readonly lastUsed: Moment;
    readonly revoked: Moment;
    readonly replacedBy: string | undefined;
  },
): AdminToken {
  return {
    tokenId: entry.tokenId,
    organisationId: entry.organisationId,
    name: entry.name,
    scopes: [...entry.scopes],
    state: entry.state,
    created: timeText(entry.created),
    expires: toTime(entry.expires),
    lastUsed: toTime(entry.lastUsed),
    revoked: toTime(entry.revoked),
    replacedBy: entry.replacedBy ?? null,
  };
}

/** A grant as a flat object, with the names that are used to add it. */
export function toGrantAnswer({
  grant,
  organisationId,
  created,
}: {
  readonly grant: Grant;
  readonly organisationId: string;
  readonly created: number;
}): AdminGrant {
  const { lens, fields } = grant;
  const { from = null, until = null } = grantDays(grant);
  const copyFilters = <Filter extends { readonly values: readonly string[] }>(
    filters: readonly Filter[],
  ) => filters.map((filter) => ({ ...filter, values: [...filter.values] }));
  return {
    grantId: grant.grantId,
    organisationId,
    pattern: grant.pattern,
    created: timeText(created),
    from,
    until,
    filters: grant.filters.map((clause) => ({ ...clause, values: [...clause.values] })),
    fields: fields === undefined ? null : [...fields],
    observationPeriodFilter: { ...lens.period },
    addressComponentFilter: copyFilters(lens.addressComponents),
    dimensionFilter: copyFilters(lens.dimensions),
    featureFilter: [...lens.features],
    relatedAddressComponentFilter: copyFilters(lens.relatedAddressComponents),
    relatedFeatureFilter: [...lens.relatedFeatures],
    showsSmallCells: grant.showsSmallCells,
    liftsDefaultFilters: grant.liftsDefaultFilters,
  };
}

/** A grant, with how it fits the published data. */
export function toFittedGrantAnswer({
  fits,
  state,
  ...entry
}: Parameters<typeof toGrantAnswer>[0] & {
  readonly fits: readonly GrantFit[];
  readonly state: GrantState;
}): AdminFittedGrant {
  return {
    ...toGrantAnswer(entry),
    state,
    fits: fits.map((fit) => ({ ...fit, problems: [...fit.problems] })),
  };
}

/** A value that a grant names, with null for what is not known. */
export function toCheckedValueAnswer({
  rowCount,
  nearest,
  ...checked
}: {
  readonly pointer: string;
  readonly member: string;
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  readonly rowCount: number | undefined;
  readonly nearest: string | undefined;
}): AdminCheckedGrantValue {
  return { ...checked, rowCount: rowCount ?? null, nearest: nearest ?? null };
}

/** The limits of an organisation. */
export function toLimitsAnswer({
  organisationId,
  limits,
}: {
  readonly organisationId: string;
  readonly limits: OrganisationLimits;
}): AdminLimits {
  const viewedRowsPerDay = limits.viewedRowsPerDay ?? null;
  return { organisationId, ...toLimits(limits), viewedRowsPerDay };
}

/** The caller of a request, with the limits that apply to it. */
export function toCallerAnswer({
  organisation,
  token,
  limits,
  viewed = {},
}: {
  readonly organisation: { readonly id: string; readonly name: string };
  readonly token: {
    readonly tokenId: string;
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expires: Moment;
  };
  readonly limits: OrganisationLimits;
  /** The rows that it may look at besides its limits. */
  readonly viewed?: Pick<OrganisationLimits, 'rowsPerDay' | 'rowsPerMonth'> | undefined;
}): CallerAnswer {
  return {
    organisationId: organisation.id,
    organisationName: organisation.name,
    tokenId: token.tokenId,
    tokenName: token.name,
    scopes: [...token.scopes],
    expires: toTime(token.expires),
    limits: toLimits(limits),
    viewedRowsPerDay: viewed.rowsPerDay ?? null,
    viewedRowsPerMonth: viewed.rowsPerMonth ?? null,
  };
}

function toLimits(limits: OrganisationLimits): CallerAnswer['limits'] {
  return {
    requestsPerSecond: limits.requestsPerSecond ?? null,
    burst: limits.burst ?? null,
    rowsPerDay: limits.rowsPerDay ?? null,
    rowsPerMonth: limits.rowsPerMonth ?? null,
    concurrentQueries: limits.concurrentQueries ?? null,
  };
}

/** An entry of the audit log. */
export function toAuditAnswer(
  entry: Omit<AdminAuditEntry, 'time' | 'actor' | 'details'> & {
    readonly time: number;
    readonly actor: Readonly<Record<string, string>>;
    readonly details: Readonly<Record<string, unknown>>;
  },
): AdminAuditEntry {
  return {
    entryId: entry.entryId,
    time: timeText(entry.time),
    actor: { ...entry.actor },
    action: entry.action,
    organisationId: entry.organisationId,
    subject: entry.subject,
    details: { ...entry.details },
  };
}

/** A time in ms since 1970 in RFC 3339, UTC. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time as text, or null if there is none. */
export function toTime(ms: Moment): string | null {
  return ms === undefined ? null : timeText(ms);
}
