/**
 * Opens a server at the address that a flag names. An error of the system is marked with the flag, so
 * that the message can say which address to change.
 */
export async function listenAt<Result>(
  flag: '--http' | '--grpc' | '--grpc-plaintext',
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { flag }) : error;
  }
}
