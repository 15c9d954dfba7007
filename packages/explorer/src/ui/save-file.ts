/** Saves a text as a file of the reader's machine. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
