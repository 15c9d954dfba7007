import { AdminNothingSchema } from '@locmetrics/contract';

/** The schema of a route without query parameters: any parameter is refused. */
export const NO_QUERY = { querystring: AdminNothingSchema } as const;
