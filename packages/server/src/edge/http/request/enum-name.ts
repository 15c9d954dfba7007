/** Parses an enum that is written as its name, prefixed name or number; the schema has checked it. */
export function enumName<Name extends string>(
  written: string | number,
  names: readonly Name[],
  prefix: string,
): Name | undefined {
  return names.find(
    (name, number) => written === name || written === `${prefix}${name}` || written === number,
  );
}
