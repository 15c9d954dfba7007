/** The pattern of cells without a value: thin diagonals, drawn pixel by pixel. It repeats without a seam. */
export function drawHatch(colour: string): ImageData {
  const size = 8;
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (context === null) return new ImageData(size, size);
  context.fillStyle = colour;
  for (let step = 0; step < size; step += 1) {
    context.fillRect(step, size - 1 - step, 1, 1);
    context.fillRect((step + 1) % size, size - 1 - step, 1, 1);
  }
  return context.getImageData(0, 0, size, size);
}
