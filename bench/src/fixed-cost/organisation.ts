/** An organisation with its tokens, and the places that its requests ask for. */
export type Organisation = {
  readonly id: string;
  readonly tokens: readonly string[];
  readonly places: readonly HeldSeries[];
};

/** A series that the caller already has: the place and the tag of the answer. */
export type HeldSeries = { readonly place: string; readonly tag: string };
