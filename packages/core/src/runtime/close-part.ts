/** Closes a part of a service that has one; for `AsyncDisposableStack.adopt`. */
export async function closePart(
  part: { readonly close: () => void | Promise<void> } | undefined,
): Promise<void> {
  await part?.close();
}
