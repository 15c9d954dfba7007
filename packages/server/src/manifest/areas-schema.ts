import { Type } from 'typebox';
import { closed, NAME_PATTERN, name, POINT_WORD_PATTERN, text } from './manifest-schema-parts.ts';

const AreaSchema = closed('Boundaries of areas, in longitude and latitude (WGS 84).', {
  file: text('A file of GeoJSON or TopoJSON with polygons, relative to the manifest.'),
  object: Type.Optional(text('The object of a TopoJSON file; needed if it has several.')),
  id: Type.Optional(text('The property with the id of an area. Default: the id of its Feature.')),
  name: Type.Optional(text('The property with the name of an area. Default: name.')),
});

export const AreasSchema = Type.Record(Type.String({ pattern: NAME_PATTERN }), AreaSchema, {
  additionalProperties: false,
  description: 'Boundaries of areas, by name. us_counties and us_states need no declaration.',
});

export const FromSchema = Type.Union(
  [
    Type.String({
      pattern: POINT_WORD_PATTERN,
      examples: ['placekey'],
      description: 'The where-part of the Placekey, such as @5vg-7gq-tvz.',
    }),
    closed('An H3 cell, or a value of the area that has the point.', {
      h3: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 15,
          description: 'The H3 cell at this resolution, such as 9.',
        }),
      ),
      area: Type.Optional(name('us_counties, us_states, or boundaries that areas declares.')),
      value: Type.Optional(
        text('The id of the area, its name, or another property of it. Default: id.'),
      ),
    }),
  ],
  { description: 'Instead of a column: the value follows from the point of the record.' },
);

const degrees = (limit: 90 | 180, description: string) =>
  Type.Number({ minimum: -limit, maximum: limit, description });

export const RegionSchema = Type.Union(
  [
    name('us_counties, us_states, or boundaries that areas declares.'),
    closed('A box in degrees.', {
      south: degrees(90, 'Least latitude.'),
      west: degrees(180, 'Least longitude; greater than east if the box crosses 180 degrees.'),
      north: degrees(90, 'Greatest latitude.'),
      east: degrees(180, 'Greatest longitude.'),
    }),
  ],
  {
    description:
      'Where the points lie: a box, or any area of boundaries. Points outside are reported, see accept.outside_region.',
  },
);
