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

/** The same for an enum whose numbers have gaps. */
export function numberedName<Name extends string>(
  written: string | number,
  numbers: Readonly<Record<Name, number>>,
  prefix: string,
): Name | undefined {
  const names = Object.keys(numbers) as Name[];
  return names.find(
    (name) => written === name || written === `${prefix}${name}` || written === numbers[name],
  );
}
