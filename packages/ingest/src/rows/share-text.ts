/** A share in words, such as `3 of 63 points`. */
export function shareText(count: number, whole: number, what: string): string {
  return `${count.toLocaleString('en-US')} of ${whole.toLocaleString('en-US')} ${what}`;
}
