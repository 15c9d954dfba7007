import fc from 'fast-check';

/** A list that is often empty. */
export function few<Item>(item: fc.Arbitrary<Item>, maxLength = 2): fc.Arbitrary<readonly Item[]> {
  return fc.oneof(
    { arbitrary: fc.constant<readonly Item[]>([]), weight: 2 },
    { arbitrary: fc.array(item, { minLength: 1, maxLength }), weight: 1 },
  );
}
