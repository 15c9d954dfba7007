/** Caches the result of a function for each argument. */
export function remember<Thing, Result>(work: (thing: Thing) => Result): (thing: Thing) => Result {
  const known = new Map<Thing, Result>();
  return (thing) => {
    let result = known.get(thing);
    if (result === undefined) {
      result = work(thing);
      known.set(thing, result);
    }
    return result;
  };
}
