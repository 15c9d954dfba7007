/** An enum is written as its name, its prefixed name or its number; the schema checked that. */
export function enumName<Name extends string>(
  written: string | number,
  names: readonly Name[],
  prefix: string,
): Name | undefined {
  return names.find(
    (name, number) => written === name || written === `${prefix}${name}` || written === number,
  );
}
