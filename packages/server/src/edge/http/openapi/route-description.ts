import type { TSchema } from 'typebox';

/** The description of a route in the OpenAPI document, apart from the schemas of its request. */
export type RouteDescription = {
  readonly summary: string;
  readonly description?: string;
  readonly tag: 'caller' | 'catalog' | 'metrics' | 'usage' | 'admin';
  readonly answer: TSchema;
  /** The media type of the answer; default: JSON. */
  readonly mediaType?: string;
  /** When the status is 204, without content; absent: never. */
  readonly isEmptyToo?: string;
  /**
   * Whether the answer is also available in the formats of tables, such as CSV. If they are unlisted, the document names
   * JSON alone, so that the clients that are made from it know one type of the answer.
   */
  readonly tables?: 'listed' | 'unlisted';
  /** Whether the answer has an ETag and supports `If-None-Match`. */
  readonly isConditional?: boolean;
  /** The statuses of its refusals, in addition to those of every route. */
  readonly refusals: readonly RefusalStatus[];
};

type RefusalStatus = 404 | 409 | 504;

export type RequestSchemas = {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
};
