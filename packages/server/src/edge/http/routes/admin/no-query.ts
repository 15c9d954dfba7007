import { AdminNothingSchema } from '@locmetrics/contract';

/** Of a route without parameters in its address: one that is there is refused. */
export const NO_QUERY = { querystring: AdminNothingSchema } as const;
