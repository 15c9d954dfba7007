/** A whole number with one of the units, such as `90d`: how many of the unit 1; or the problem of the text. */
export function parseQuantity(text: string, units: ReadonlyMap<string, number>): number | string {
  const [, digits, unitName = ''] = /^([0-9]+)([A-Za-z]*)$/.exec(text) ?? [];
  if (digits === undefined) return 'is not a whole number with a unit';
  if (unitName === '') return 'has no unit';
  const unit = units.get(unitName);
  return unit === undefined ? 'has an unknown unit' : Number(digits) * unit;
}
