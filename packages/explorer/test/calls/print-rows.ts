/** Runs modules as they are. What each prints on the console comes out as a line of JSON. */
for (const path of process.argv.slice(2)) {
  const rows: unknown[] = [];
  console.log = (row: unknown) => void rows.push(row);
  const error = await import(path).then(
    () => undefined,
    (thrown: unknown) => String(thrown),
  );
  process.stdout.write(`${JSON.stringify({ rows, error })}\n`);
}

export {};
