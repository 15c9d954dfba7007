/** The bytes of an answer as JSON. */
export function encodeJson(answer: object): Buffer {
  return Buffer.from(JSON.stringify(answer));
}
