/** Runs work one after another, in the order of the calls. A failure goes to its caller only. */
export function oneAfterAnother(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
