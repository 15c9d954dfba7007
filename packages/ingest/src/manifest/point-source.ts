/** How the value of a field follows from the point of its record. */
export type PointSource =
  | { readonly kind: 'placekey' }
  | { readonly kind: 'h3'; readonly resolution: number }
  | {
      readonly kind: 'area';
      /** The name of the boundaries. */
      readonly area: string;
      /** The id of the area that has the point, its name, or one of its properties. */
      readonly value: string;
    };

/** A file with the boundaries of areas. */
export type Boundaries = {
  readonly name: string;
  /** The absolute path of a file of GeoJSON or TopoJSON; absent: the boundaries ship with this package. */
  readonly file?: string | undefined;
  /** The object of a TopoJSON file. Absent: the only one. */
  readonly object?: string | undefined;
  /** The property with the id of an area. Absent: the id of its Feature. */
  readonly id?: string | undefined;
  /** The property with the name of an area. Absent: `name`. */
  readonly nameProperty?: string | undefined;
};

/** The region in which the points of a dataset lie: a box, or the areas of boundaries. */
export type Region =
  | {
      readonly kind: 'box';
      readonly south: number;
      /** Greater than `east` if the box crosses the antimeridian. */
      readonly west: number;
      readonly north: number;
      readonly east: number;
    }
  | { readonly kind: 'area'; readonly area: string };

/** The boundaries that ship with this package, and the values that their areas have. */
export const SHIPPED_AREAS = ['us_counties', 'us_states'] as const;
export const SHIPPED_VALUES = ['id', 'name', 'outline'] as const;

/** The value of an area that is its outline. */
export const OUTLINE_VALUE = 'outline';
