/** Patterns of what has no colour: `absent` has diagonals, `withheld` has a grid. They repeat without a seam. */
export function drawHatch(colour: string, kind: 'absent' | 'withheld' = 'absent'): ImageData {
  const size = 8;
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (context === null) return new ImageData(size, size);
  context.fillStyle = colour;
  if (kind === 'withheld') {
    context.fillRect(0, 0, size, 2);
    context.fillRect(0, 0, 2, size);
    return context.getImageData(0, 0, size, size);
  }
  for (let step = 0; step < size; step += 1) {
    context.fillRect(step, size - 1 - step, 1, 1);
    context.fillRect((step + 1) % size, size - 1 - step, 1, 1);
  }
  return context.getImageData(0, 0, size, size);
}

/** The same patterns for a legend. */
export function hatchCss(colour: string, kind: 'absent' | 'withheld' = 'absent'): string {
  return kind === 'absent'
    ? `repeating-linear-gradient(135deg, ${colour} 0 1px, transparent 1px 4px)`
    : `repeating-linear-gradient(0deg, ${colour} 0 1px, transparent 1px 4px), repeating-linear-gradient(90deg, ${colour} 0 1px, transparent 1px 4px)`;
}
