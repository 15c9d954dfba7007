/** Encodes each distinct part of a page once, because most are on many of its rows. */
export function encodeOnce<Part, Encoded>(
  encode: (part: Part) => Encoded,
): (part: Part) => Encoded {
  const known = new Map<Part, Encoded>();
  return (part) => {
    let encoded = known.get(part);
    if (encoded === undefined) {
      encoded = encode(part);
      known.set(part, encoded);
    }
    return encoded;
  };
}
