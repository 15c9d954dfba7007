/** A position: longitude and latitude, or x and y. */
export type Position = readonly [number, number];

/** A geometry as its points: those of each line, or of each ring of its areas, holes included. */
export type Outline = {
  readonly kind: 'points' | 'lines' | 'area';
  readonly parts: readonly (readonly Position[])[];
  /** The number of rings of each polygon of an area, where the file tells: its outer ring, then its holes. */
  readonly ringCounts?: readonly number[];
};

/** A geometry of a file: its type for messages, and how its outline is read; undefined if there is none. */
export type FileGeometry = { readonly type: string; readonly outline: () => Outline } | undefined;

/** Why a geometry has no outline. It continues the sentence that begins with its type. */
export class WrongGeometry extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'WrongGeometry';
  }
}
