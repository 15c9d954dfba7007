import type { PostgresSchema } from '../postgres/postgres-schema.ts';

/**
 * The limits that several machines share. Everything that a machine says of itself is a total, not a difference, so a
 * statement whose answer was lost can be sent again. The clock is that of the database alone.
 *
 * `limit_node`: a machine is live until then; what a dead one held of requests and slots is free again.
 * `limit_count`: an organisation: the requests in its bucket, and the rows used before the counting of this day started.
 * `limit_share`: what a machine holds of an organisation, and the rows that it has used or holds in this count.
 */
export const SHARED_LIMIT_SCHEMA: PostgresSchema = {
  name: 'shared limits',
  migrations: [
    `CREATE TABLE limit_node (
       node uuid PRIMARY KEY,
       live_until timestamptz NOT NULL
     );
     CREATE TABLE limit_count (
       organisation text PRIMARY KEY,
       requests double precision,
       filled_at timestamptz NOT NULL,
       number bigint NOT NULL DEFAULT 0,
       day bigint,
       rows_of_day bigint NOT NULL DEFAULT 0,
       rows_of_month bigint NOT NULL DEFAULT 0,
       begins_until timestamptz
     );
     CREATE TABLE limit_share (
       organisation text NOT NULL REFERENCES limit_count ON DELETE CASCADE,
       node uuid NOT NULL,
       draw bigint NOT NULL,
       requests bigint NOT NULL DEFAULT 0,
       slots bigint NOT NULL DEFAULT 0,
       number bigint NOT NULL DEFAULT 0,
       rows bigint NOT NULL DEFAULT 0,
       PRIMARY KEY (organisation, node)
     );
     CREATE FUNCTION limit_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';

     CREATE FUNCTION limit_month(day bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
       $$ SELECT to_char(date '1970-01-01' + day::integer, 'YYYY-MM') $$;

     CREATE FUNCTION draw_limits(asked jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
     DECLARE
       of_organisation text := asked ->> 'organisation';
       of_node uuid := asked ->> 'node';
       rate double precision := asked ->> 'requestsPerSecond';
       burst double precision := asked ->> 'burst';
       day_limit bigint := asked ->> 'rowsPerDay';
       month_limit bigint := asked ->> 'rowsPerMonth';
       slot_limit bigint := asked ->> 'concurrentQueries';
       used jsonb := nullif(asked -> 'used', 'null');
       moment timestamptz;
       today bigint;
       counted limit_count;
       nodes bigint;
       others record;
       all_rows bigint;
       requests_given bigint := 0;
       counting text;
       my_rows bigint := 0;
       rows_given bigint := 0;
       left_of_day bigint;
       left_of_month bigint;
       least_left bigint;
       slots_held bigint := 0;
       slots_free bigint := 0;
     BEGIN
       -- Rows must survive a crash. A bucket and slots correct themselves.
       IF day_limit IS NULL AND month_limit IS NULL THEN
         PERFORM set_config('synchronous_commit', 'off', true);
       END IF;
       INSERT INTO limit_count (organisation, filled_at) VALUES (of_organisation, limit_clock())
       ON CONFLICT DO NOTHING;
       SELECT * INTO STRICT counted FROM limit_count WHERE organisation = of_organisation FOR UPDATE;
       moment := limit_clock();
       today := floor(extract(epoch FROM moment) / 86400);
       -- A statement that was late on its way says nothing any more.
       IF EXISTS (SELECT FROM limit_share WHERE organisation = of_organisation AND node = of_node
                  AND draw >= (asked ->> 'draw')::bigint) THEN
         RETURN NULL;
       END IF;
       SELECT greatest(1, count(*)) INTO nodes FROM limit_node WHERE live_until > moment;
       SELECT coalesce(sum(share.requests), 0) AS requests, coalesce(sum(share.slots), 0) AS slots
         INTO others
         FROM limit_share AS share JOIN limit_node USING (node)
         WHERE share.organisation = of_organisation AND node <> of_node AND live_until > moment;

       IF rate IS NOT NULL THEN
         counted.requests := greatest(0, least(
           coalesce(counted.requests, burst)
             + greatest(0, extract(epoch FROM moment - counted.filled_at)) * rate
             + (asked ->> 'returnedRequests')::bigint,
           burst - others.requests - (asked ->> 'heldRequests')::bigint,
           coalesce((asked ->> 'requestsMax')::double precision, burst)));
         requests_given := greatest(
           least((asked ->> 'requests')::bigint, floor(counted.requests + 1e-6)),
           least((asked ->> 'moreRequests')::bigint, floor(counted.requests * 0.04 / nodes)));
         counted.requests := counted.requests - requests_given;
       END IF;

       IF day_limit IS NOT NULL OR month_limit IS NOT NULL THEN
         IF counted.day IS DISTINCT FROM today THEN
           IF used IS NOT NULL THEN
             SELECT counted.rows_of_month + coalesce(sum(rows), 0) INTO all_rows
               FROM limit_share WHERE organisation = of_organisation AND number = counted.number;
             counted.rows_of_month := CASE WHEN limit_month(counted.day) = limit_month(today)
               THEN greatest(all_rows, (used ->> 'month')::bigint) ELSE (used ->> 'month')::bigint END;
             counted.rows_of_day := (used ->> 'day')::bigint;
             counted.day := today;
             counted.number := counted.number + 1;
             counted.begins_until := NULL;
             DELETE FROM limit_share WHERE organisation = of_organisation
               AND node NOT IN (SELECT node FROM limit_node WHERE live_until > moment);
           ELSIF counted.begins_until > moment THEN
             counting := 'wait';
           ELSE
             counted.begins_until := moment + interval '2 seconds';
             counting := 'begin';
           END IF;
         END IF;
         IF counted.day = today THEN
           counting := 'counted';
           -- What was used of this day while the database was away has no number yet.
           IF (asked ->> 'number')::bigint = counted.number
              OR (asked ->> 'number' IS NULL AND (asked ->> 'day')::bigint = today) THEN
             my_rows := asked ->> 'usedRows';
           END IF;
           SELECT coalesce(sum(rows), 0) + my_rows INTO all_rows FROM limit_share
             WHERE organisation = of_organisation AND number = counted.number AND node <> of_node;
           left_of_day := day_limit - counted.rows_of_day - all_rows;
           left_of_month := month_limit - counted.rows_of_month - all_rows;
           least_left := greatest(0, least(left_of_day, left_of_month));
           rows_given := CASE
             WHEN least_left >= (asked ->> 'rows')::bigint THEN
               (asked ->> 'rows')::bigint + greatest(0, least(
                 (asked ->> 'moreRows')::bigint,
                 floor((least_left - (asked ->> 'rows')::bigint) * 0.04 / nodes)
                   - (asked ->> 'heldRows')::bigint))
             WHEN least_left >= (asked ->> 'leastRows')::bigint THEN least_left
             ELSE 0 END;
         END IF;
       END IF;

       counted.filled_at := moment;

       IF slot_limit IS NOT NULL THEN
         slots_free := greatest(0, slot_limit - others.slots - (asked ->> 'slots')::bigint);
         slots_held := greatest(
           (asked ->> 'usedSlots')::bigint,
           least(
             (asked ->> 'slots')::bigint + least((asked ->> 'moreSlots')::bigint, slots_free / (2 * nodes)),
             slot_limit - others.slots));
         IF slots_held < (asked ->> 'slots')::bigint AND others.slots > 0 THEN
           PERFORM pg_notify('locmetrics_limits', of_node || of_organisation);
         END IF;
         slots_free := greatest(0, slot_limit - others.slots - slots_held);
       END IF;

       UPDATE limit_count SET requests = counted.requests, filled_at = counted.filled_at,
           number = counted.number, day = counted.day, rows_of_day = counted.rows_of_day,
           rows_of_month = counted.rows_of_month, begins_until = counted.begins_until
         WHERE organisation = of_organisation;
       INSERT INTO limit_share (organisation, node, draw, requests, slots, number, rows)
         VALUES (of_organisation, of_node, (asked ->> 'draw')::bigint,
           (asked ->> 'heldRequests')::bigint
             + greatest(0, requests_given - (asked ->> 'awaitedRequests')::bigint),
           slots_held, counted.number, my_rows + rows_given)
         ON CONFLICT (organisation, node) DO UPDATE SET draw = excluded.draw,
           requests = excluded.requests, slots = excluded.slots, number = excluded.number,
           rows = excluded.rows;
       RETURN jsonb_build_object(
         'nodes', nodes, 'timeMs', floor(extract(epoch FROM moment) * 1000),
         'requests', requests_given, 'leftRequests', counted.requests,
         'counting', counting, 'number', counted.number, 'day', today,
         'usedRows', my_rows, 'rows', rows_given,
         'leftOfDay', CASE WHEN left_of_day < rows_given THEN 0 ELSE left_of_day - rows_given END,
         'leftOfMonth', CASE WHEN left_of_month < rows_given THEN 0 ELSE left_of_month - rows_given END,
         'slots', slots_held, 'leftSlots', slots_free);
     END $$;`,
  ],
};

/** The channel of the notices that a machine needs slots which are free on others: its id, then the organisation. */
export const RECALL_CHANNEL = 'locmetrics_limits';

export const NODE_ID_LENGTH = 36;

/** Renews that a machine is live; `$1` is its id. */
export const RENEW_NODE = `INSERT INTO limit_node (node, live_until)
  VALUES ($1, limit_clock() + interval '5 seconds')
  ON CONFLICT (node) DO UPDATE SET live_until = excluded.live_until
  RETURNING floor(extract(epoch FROM limit_clock()) * 1000)::bigint AS time_ms,
    (SELECT count(*) FROM limit_node WHERE live_until > limit_clock() AND node <> $1) + 1 AS nodes`;

/** The rows of an organisation are counted anew, from its usage so far, when it has a limit again. */
export const FORGET_ROWS = 'UPDATE limit_count SET day = NULL WHERE organisation = $1';

/** The rows of organisations (`$1`) that all machines have used or hold. */
export const READ_USED = `SELECT organisation, number, rows_of_day + rows AS rows_of_day,
    rows_of_month + rows AS rows_of_month
  FROM limit_count JOIN LATERAL (
    SELECT coalesce(sum(rows), 0)::bigint AS rows FROM limit_share
    WHERE limit_share.organisation = limit_count.organisation
      AND limit_share.number = limit_count.number) AS shares ON true
  WHERE organisation = ANY($1::text[]) AND day IS NOT NULL`;

/** Removes what counts for nothing any more: machines that have ended, and organisations of an earlier month. */
export const PRUNE = [
  `DELETE FROM limit_node WHERE live_until < limit_clock() - interval '1 hour'`,
  `DELETE FROM limit_share WHERE node NOT IN (SELECT node FROM limit_node) AND (rows = 0 OR number <>
     (SELECT number FROM limit_count WHERE limit_count.organisation = limit_share.organisation))`,
  `DELETE FROM limit_count WHERE filled_at < limit_clock() - interval '32 days'`,
];
