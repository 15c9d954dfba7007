/** Gives the reader a text as a file. Nothing is sent. */
export function saveFile(name: string, text: string, type: string): void {
  offerFile(name, new Blob([text], { type }));
}

/** Gives the reader a file that is complete. */
export function offerFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_MS);
}

/** Long enough for the reader to answer where the file goes. */
const RELEASE_MS = 60_000;
