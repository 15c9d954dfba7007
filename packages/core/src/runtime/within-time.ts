/** The result of the work, or an error with the message on a timeout. The work continues. */
export async function withinTime<Result>(
  work: Promise<Result>,
  { timeoutMs, message }: { readonly timeoutMs: number; readonly message: string },
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), timeoutMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
